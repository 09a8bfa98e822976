// Made from the folders beside it by `npm run gen`. Do not edit.
import { createSandbox as e2b } from "./e2b/index.ts";
import { createSandbox as http } from "./http/index.ts";
import { createSandbox as jupyter } from "./jupyter/index.ts";

export const sandboxDrivers = { e2b, http, jupyter };
