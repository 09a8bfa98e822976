import * as z from "zod";

const limit = z.int().positive().optional();

/** The keys of taskweaver_config.json that belong to the HTTP API. */
export const httpKeys = {
  "files.max_upload_bytes": z
    .int()
    .positive()
    .default(100 * 1024 * 1024),
  "http.cors_origins": z.array(z.string()).default([]),
  "quota.requests_per_minute": limit,
  "quota.rounds_at_once": limit,
  "quota.tokens_per_day": limit,
  "log.requests": z.boolean().default(true),
  "prompt_log.enabled": z.boolean().default(false),
};

/** What one key may use; undefined is no limit. */
export interface Quotas {
  requestsPerMinute?: number;
  roundsAtOnce?: number;
  tokensPerDay?: number;
}

export interface HttpSettings {
  maxUploadBytes: number;
  /** Pages of these origins may call from a browser; `*` is any. */
  corsOrigins: string[];
  /** Undefined when there are none. */
  quotas?: Quotas;
  /** Writes a line about each request and each round. */
  logRequests: boolean;
  /** Keeps what models were asked and answered. */
  promptLog: boolean;
  /** Signs links to files; without it there are none. */
  linkSecret?: string;
  /** Cloudflare Access stands before the Worker; its callers are known by its tokens. */
  access?: { teamDomain: string; audience: string };
}

export function httpSettings(
  value: <Value>(key: string) => Value,
  secrets: {
    LINK_SECRET?: string | undefined;
    ACCESS_TEAM_DOMAIN?: string | undefined;
    ACCESS_AUD?: string | undefined;
  },
): HttpSettings {
  const quotas = Object.fromEntries(
    Object.entries({
      requestsPerMinute: value<number | undefined>("quota.requests_per_minute"),
      roundsAtOnce: value<number | undefined>("quota.rounds_at_once"),
      tokensPerDay: value<number | undefined>("quota.tokens_per_day"),
    }).filter(([, most]) => most !== undefined),
  );
  const { LINK_SECRET: linkSecret, ACCESS_TEAM_DOMAIN: teamDomain, ACCESS_AUD: audience } = secrets;
  return {
    maxUploadBytes: value("files.max_upload_bytes"),
    corsOrigins: value("http.cors_origins"),
    ...(Object.keys(quotas).length === 0 ? {} : { quotas }),
    logRequests: value("log.requests"),
    promptLog: value("prompt_log.enabled"),
    ...(linkSecret === undefined ? {} : { linkSecret }),
    ...(teamDomain === undefined || audience === undefined ? {} : { access: { teamDomain, audience } }),
  };
}
