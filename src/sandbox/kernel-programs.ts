import { shimDigest, shimFiles } from "./_shim.ts";

/** By which our events are told from what else a kernel shows. */
export const EVENT_MIME = "application/vnd.taskweaver.event+json";

// Python in a kernel's own names, of which nothing is to stay: all of it runs in a dict of its own. A JSON text is a
// Python one as well.

const OPEN = `
import json, os, sys
if "taskweaver.kernel" not in sys.modules:
    folder = os.path.abspath(os.path.join(store, "python-" + digest))
    for path, text in json.loads(files).items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    sys.path.insert(0, folder)
    # Compiled files would lie in folders that some hosts neither list nor remove.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    import taskweaver.kernel, taskweaver.plugin.utils
    sys.dont_write_bytecode = before
sys.modules["taskweaver.kernel"].handle(request, ".", store)
`;

const RUN = `
import sys
kernel = sys.modules.get("taskweaver.kernel")
if kernel is None:
    import os
    from IPython.display import publish_display_data
    # What it says was running went down with the kernel before this one.
    if os.path.exists(os.path.join(store, "running")):
        os.remove(os.path.join(store, "running"))
    publish_display_data({"${EVENT_MIME}": {"type": "context_lost"}})
else:
    kernel.handle(request, ".", store)
`;

const REMOVE = `
import os, shutil
folder = os.getcwd()
os.chdir("/")
for path in (folder, os.path.join(folder, store)):
    shutil.rmtree(os.path.normpath(path), ignore_errors=True)
`;

function program(text: string, names: Record<string, string>): string {
  const entries = Object.entries(names).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`);
  return `exec(${JSON.stringify(text)}, {${entries.join(", ")}})`;
}

/** Brings our Python along where it isn't yet, and has plugins and variables as they should be. */
export const openProgram = (store: string, request: object) =>
  program(OPEN, {
    store,
    request: JSON.stringify({ type: "open", ...request }),
    digest: shimDigest,
    files: JSON.stringify(shimFiles),
  });

export const runProgram = (store: string, request: object) =>
  program(RUN, { store, request: JSON.stringify({ type: "run", ...request }) });

/** Removes the working folder and the store. */
export const removeProgram = (store: string) => program(REMOVE, { store });
