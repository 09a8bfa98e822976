import { HttpProblem } from "./problem.ts";

const MAX_WAIT_SECONDS = 600;

/** What the client prefers of an answer that may take long (RFC 7240): not to wait, or to wait so long. */
export function parsePrefer(header: string | undefined): { respondAsync: boolean; waitSeconds?: number } {
  const preferences = (header ?? "").split(",").map((preference) => preference.trim().toLowerCase());
  const respondAsync = preferences.includes("respond-async");
  const wait = preferences.find((preference) => /^wait *=/.test(preference));
  if (wait === undefined) return { respondAsync };
  const seconds = Number(wait.split("=")[1]);
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > MAX_WAIT_SECONDS) {
    throw new HttpProblem(
      400,
      "invalid_prefer",
      `Prefer: wait= takes seconds from 0 to ${MAX_WAIT_SECONDS}, not "${wait.split("=")[1]?.slice(0, 20)}".`,
    );
  }
  return { respondAsync: respondAsync && seconds === 0, waitSeconds: seconds };
}
