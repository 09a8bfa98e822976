// Made from the folders beside it by `npm run gen`. Do not edit.
import { role as codeInterpreter } from "./code-interpreter/index.ts";
import { role as codeInterpreterCliOnly } from "./code-interpreter-cli-only/index.ts";
import { role as codeInterpreterPluginOnly } from "./code-interpreter-plugin-only/index.ts";
import { role as documentRetriever } from "./document-retriever/index.ts";
import { role as echo } from "./echo/index.ts";
import { role as imageReader } from "./image-reader/index.ts";
import { role as planner } from "./planner/index.ts";
import { role as recepta } from "./recepta/index.ts";
import { role as taskTypeIdentifier } from "./task-type-identifier/index.ts";
import { role as webSearch } from "./web-search/index.ts";

export const roles = [
  codeInterpreter,
  codeInterpreterCliOnly,
  codeInterpreterPluginOnly,
  documentRetriever,
  echo,
  imageReader,
  planner,
  recepta,
  taskTypeIdentifier,
  webSearch,
];
