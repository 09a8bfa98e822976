CREATE TABLE `idempotency_keys` (
	`tenant` text NOT NULL,
	`key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`claim` text NOT NULL,
	`status` integer,
	`headers` text,
	`body` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_by_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`tenant` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `daily_usage` (
	`tenant` text NOT NULL,
	`day` text NOT NULL,
	`key_id` text NOT NULL,
	`rounds` integer NOT NULL,
	`failed_rounds` integer NOT NULL,
	`model_calls` integer NOT NULL,
	`prompt_tokens` integer NOT NULL,
	`completion_tokens` integer NOT NULL,
	`model_ms` integer NOT NULL,
	`sandbox_ms` integer NOT NULL,
	PRIMARY KEY(`tenant`, `day`, `key_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `new_files` (
	`tenant` text NOT NULL,
	`session_id` text NOT NULL,
	`name` text NOT NULL,
	`put_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `session_id`, `name`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `rounds` ADD `key_id` text;