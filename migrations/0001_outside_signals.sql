CREATE TABLE `outside_signals` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`n` integer NOT NULL,
	`round_seq` integer NOT NULL,
	`seq` integer NOT NULL,
	`key` text NOT NULL,
	`value` text,
	PRIMARY KEY(`tenant`, `session_id`, `n`)
) STRICT, WITHOUT ROWID;
