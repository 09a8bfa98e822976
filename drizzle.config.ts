import { defineConfig } from "drizzle-kit";

// Makes migrations/ from the tables that lie beside their features: `npx drizzle-kit generate --name what_changes`,
// then add STRICT and WITHOUT ROWID by hand (Drizzle has no words for them).
export default defineConfig({ dialect: "sqlite", schema: "./src/**/tables.ts", out: "./migrations" });
