// Made from the folders beside it by `npm run gen`. Do not edit.
import { createSandbox as http } from "./http/index.ts";

export const sandboxDrivers = { http };
