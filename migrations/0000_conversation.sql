CREATE TABLE `artifacts` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`mime` text NOT NULL,
	`size` integer NOT NULL,
	`description` text NOT NULL,
	`round_id` text NOT NULL,
	`post_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `session_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `posts` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`round_seq` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`send_from` text NOT NULL,
	`send_to` text NOT NULL,
	`message` text NOT NULL,
	`attachments` text NOT NULL,
	PRIMARY KEY(`tenant`, `session_id`, `round_seq`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rounds` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`user_query` text NOT NULL,
	`state` text NOT NULL,
	`fence` integer NOT NULL,
	`stop` text,
	`error` text,
	`usage` text,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	PRIMARY KEY(`tenant`, `session_id`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `rounds_by_id` ON `rounds` (`tenant`,`session_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`tenant` text NOT NULL,
	`id` text NOT NULL,
	`roles` text NOT NULL,
	`title` text,
	`metadata` text NOT NULL,
	`variables` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sessions_by_age` ON `sessions` (`tenant`,`created_at`);