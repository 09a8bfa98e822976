CREATE TABLE `chat_threads` (
	`tenant` text NOT NULL,
	`digest` text NOT NULL,
	`session_id` text NOT NULL,
	`round_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `digest`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `chat_threads_by_session` ON `chat_threads` (`tenant`,`session_id`);