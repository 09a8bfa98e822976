// Made from the folders beside it by `npm run gen`. Do not edit.
import { role as codeInterpreter } from "./code-interpreter/index.ts";
import { role as echo } from "./echo/index.ts";
import { role as planner } from "./planner/index.ts";

export const roles = [codeInterpreter, echo, planner];
