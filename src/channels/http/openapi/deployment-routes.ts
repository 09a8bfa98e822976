import * as z from "zod";
import { dailyUsage, listOf } from "./answers.ts";
import type { RouteDoc } from "./route-doc.ts";

const json = z.record(z.string(), z.unknown());
const dataOf = (item: z.ZodType) => z.strictObject({ data: z.array(item) });

export const deploymentDocs: RouteDoc[] = [
  {
    route: "GET /health",
    group: "Deployment",
    summary: "Whether the Worker answers",
    answers: {
      200: { what: "it does", body: z.strictObject({ status: z.literal("ok"), version: z.string() }) },
    },
    isOpen: true,
  },
  {
    route: "GET /openapi.json",
    group: "Deployment",
    summary: "This description",
    answers: { 200: { what: "OpenAPI 3.1", body: json } },
    isOpen: true,
  },
  {
    route: "GET /docs",
    group: "Deployment",
    summary: "This description as a page",
    answers: { 200: { what: "the page", body: "text/html" } },
    isOpen: true,
  },
  {
    route: "GET /v1/roles",
    group: "Deployment",
    summary: "The roles that sessions may have",
    answers: {
      200: {
        what: "the roles",
        body: dataOf(z.strictObject({ name: z.string(), alias: z.string(), intro: z.string() })),
      },
    },
  },
  {
    route: "GET /v1/plugins",
    group: "Deployment",
    summary: "The plugins that code may call",
    answers: { 200: { what: "the plugins", body: dataOf(json) } },
  },
  {
    route: "GET /v1/config",
    group: "Deployment",
    summary: "Every setting in force, without secrets",
    answers: { 200: { what: "the settings by their names", body: json } },
  },
  {
    route: "GET /v1/usage",
    group: "Deployment",
    summary: "What rounds have cost, by day and key; the last 30 days unless asked otherwise",
    query: { from: z.iso.date().optional(), to: z.iso.date().optional() },
    answers: { 200: { what: "the days, oldest first", body: listOf(dailyUsage) } },
    problems: ["invalid_day"],
  },
];
