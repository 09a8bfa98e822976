CREATE TABLE `experience_chunks` (
	`owner` text NOT NULL,
	`shelf` text NOT NULL,
	`sub_path` text NOT NULL,
	`n` integer NOT NULL,
	`model` text NOT NULL,
	`ids` text NOT NULL,
	`sketches` text NOT NULL,
	PRIMARY KEY(`owner`, `shelf`, `sub_path`, `n`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `experience_syncs` (
	`owner` text PRIMARY KEY NOT NULL,
	`begun_at` integer NOT NULL,
	`synced_at` integer
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `experiences` (
	`owner` text NOT NULL,
	`id` text NOT NULL,
	`shelf` text NOT NULL,
	`sub_path` text NOT NULL,
	`exp_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`merged_into` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`source_hash` text NOT NULL,
	`model` text NOT NULL,
	`vector` text NOT NULL,
	`chunk` integer,
	`session_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`text` text NOT NULL,
	`raw` text,
	PRIMARY KEY(`owner`, `id`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `experiences_by_name` ON `experiences` (`owner`,`shelf`,`sub_path`,`exp_id`);--> statement-breakpoint
CREATE INDEX `experiences_by_age` ON `experiences` (`owner`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `experiences_loose` ON `experiences` (`owner`,`shelf`,`sub_path`) WHERE chunk IS NULL AND state = 'ready';--> statement-breakpoint
CREATE INDEX `experiences_by_model` ON `experiences` (`model`) WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX `experiences_due` ON `experiences` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `trace` text;--> statement-breakpoint
ALTER TABLE `rounds` ADD `feedback` text;