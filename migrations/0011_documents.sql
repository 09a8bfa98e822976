CREATE TABLE `document_passages` (
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`n` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`headings` text NOT NULL,
	`model` text NOT NULL,
	`vector` text NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`tenant`, `name`, `n`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `document_sketches` (
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`n` integer NOT NULL,
	`count` integer NOT NULL,
	`model` text NOT NULL,
	`sketches` text NOT NULL,
	PRIMARY KEY(`tenant`, `name`, `n`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `documents` (
	`tenant` text NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`mime` text NOT NULL,
	`size` integer NOT NULL,
	`source_hash` text NOT NULL,
	`passages` integer NOT NULL,
	`model` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant`, `name`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `documents_by_model` ON `documents` (`model`);