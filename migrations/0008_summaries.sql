CREATE TABLE `summaries` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`role` text NOT NULL,
	`up_to` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`tenant`, `session_id`, `role`)
) STRICT, WITHOUT ROWID;
