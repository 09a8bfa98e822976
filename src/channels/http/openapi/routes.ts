import { deploymentDocs } from "./deployment-routes.ts";
import { documentDocs } from "./document-routes.ts";
import { fileDocs } from "./file-routes.ts";
import { lessonDocs } from "./lesson-routes.ts";
import { roundDocs } from "./round-routes.ts";
import { sessionDocs } from "./session-routes.ts";

/** Every route of the API. */
export const routeDocs = [
  ...sessionDocs,
  ...roundDocs,
  ...fileDocs,
  ...lessonDocs,
  ...documentDocs,
  ...deploymentDocs,
];
