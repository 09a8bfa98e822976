import type { Context } from "hono";
import * as z from "zod";
import type { HttpEnv } from "./http.ts";
import { HttpProblem } from "./problem.ts";
import { readJson } from "./read-json.ts";
import { signLink } from "./signed-link.ts";

const DAY_SECONDS = 24 * 3600;

export const linkRequest = z.strictObject({
  /** Seconds that the link is good for. */
  expires_in: z
    .int()
    .min(1)
    .max(30 * DAY_SECONDS)
    .default(3600),
});

/** A link to what the path names without its `/link`; that it is there has been seen to. */
export async function answerLink(c: Context<HttpEnv>) {
  const { linkSecret: secret } = c.var.deployment.config.http;
  if (secret === undefined) {
    throw new HttpProblem(
      503,
      "links_not_set_up",
      "This deployment signs no links. Its owner sets LINK_SECRET: npx wrangler secret put LINK_SECRET.",
    );
  }
  const { expires_in: seconds } = await readJson(c.req.raw, linkRequest);
  const { origin, pathname } = new URL(c.req.url);
  const expires = Math.floor(Date.now() / 1000) + seconds;
  const path = pathname.replace(/\/link$/, "");
  const link = await signLink({ secret, tenant: c.var.tenant, path, expires });
  return c.json({ url: origin + link, expires_at: new Date(expires * 1000).toISOString() }, 201);
}
