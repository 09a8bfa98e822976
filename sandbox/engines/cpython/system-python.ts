import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

const LIMIT_MS = 20_000;
const QUESTION = `
import json, os, sys
prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
print(json.dumps({"executable": sys.executable, "version": sys.version_info[:2], "folders": sorted(prefixes)}))
`;

const answer = z.object({
  executable: z.string(),
  version: z.tuple([z.number(), z.number()]),
  folders: z.array(z.string()),
});

export interface SystemPython {
  executable: string;
  /** Where its library and packages are, besides /usr. */
  folders: string[];
}

/** Asks a Python where it lives. What is given may be a shim; what comes back is the program behind it. */
export async function findSystemPython(path: string): Promise<SystemPython> {
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  const { stdout } = await promisify(execFile)(path, ["-I", "-B", "-c", QUESTION], {
    env,
    timeout: LIMIT_MS,
  }).catch((error: Error) => {
    throw new Error(
      `There is no usable Python at ${path} (${error.message.split("\n")[0]}). Install one (apt-get install python3)` +
        ` or name it with SANDBOX_PYTHON.`,
    );
  });
  const { executable, version, folders } = answer.parse(JSON.parse(stdout));
  if (version[0] !== 3 || version[1] < 9) {
    throw new Error(
      `${path} is Python ${version.join(".")}, and 3.9 or newer is needed; name one with SANDBOX_PYTHON.`,
    );
  }
  return {
    executable,
    folders: folders.filter((folder) => folder !== "/usr" && !folder.startsWith("/usr/")),
  };
}
