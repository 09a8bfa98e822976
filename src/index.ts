import { app } from "./app.ts";

export { RoundRunner } from "./round-runner.ts";
export { SessionObject } from "./session/session-object.ts";

export default { fetch: app.fetch } satisfies ExportedHandler<Env>;
