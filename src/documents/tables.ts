import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The documents of a tenant; their bodies are in R2. */
export const documents = sqliteTable(
  "documents",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    /** Names the body and whatever was made of it: another one for each time that the document was put. */
    version: text("version").notNull(),
    mime: text("mime").notNull(),
    size: integer("size").notNull(),
    /** Of the content and of how it was cut: the same needn't be cut and embedded again. */
    sourceHash: text("source_hash").notNull(),
    passages: integer("passages").notNull(),
    /** The model of all its sketches; single passages may be ahead of them. */
    model: text("model").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.name] }),
    index("documents_by_model").on(table.model),
  ],
);

// Rows of these are long, so they are not clustered on their keys.

export const documentPassages = sqliteTable(
  "document_passages",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    n: integer("n").notNull(),
    /** Where it stands in the text: neighbours overlap. */
    start: integer("start").notNull(),
    end: integer("end").notNull(),
    headings: text("headings", { mode: "json" }).$type<string[]>().notNull(),
    model: text("model").notNull(),
    vector: text("vector").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name, table.n] })],
);

/** Sketches of up to a thousand passages in one row, the first of them `n`. */
export const documentSketches = sqliteTable(
  "document_sketches",
  {
    tenant: text("tenant").notNull(),
    name: text("name").notNull(),
    n: integer("n").notNull(),
    count: integer("count").notNull(),
    model: text("model").notNull(),
    sketches: text("sketches").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.name, table.n] })],
);
