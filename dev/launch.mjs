// The door of every npm script: plain JavaScript that an old Node can read. The scripts behind it are TypeScript
// and need the Node that came as the dev dependency `node` (the sandbox's lock-down needs its network permission).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NEEDED_MAJOR = 26;
const here = dirname(fileURLToPath(import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const script = join(here, `${name}.ts`);

if (!name || !existsSync(script)) {
  console.error(
    `Nothing to launch: "${name ?? ""}". Call it through the scripts of package.json, e.g. npm start.`,
  );
  process.exit(2);
}

if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) {
  process.argv = [process.argv[0], script, ...rest];
  await import(script);
} else {
  const bundledNode = join(here, "..", "node_modules", ".bin", "node");
  if (!existsSync(bundledNode)) {
    console.error(
      `This is Node ${process.versions.node} and Node ${NEEDED_MAJOR} is needed. It comes with the project: run "npm ci" first` +
        ` (with install scripts allowed: the package "node" brings its binary in one).`,
    );
    process.exit(1);
  }
  const child = spawn(bundledNode, [fileURLToPath(import.meta.url), name, ...rest], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
