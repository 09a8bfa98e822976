import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/** Kills the watched processes when this one is gone, however it went. */
export interface Reaper {
  watch(child: ChildProcess): void;
  close(): void;
}

// Reads "+pid" and "-pid" lines; the end of its input means that the server is gone.
const SCRIPT = `
trap '' INT TERM HUP
pids=' '
while read -r line; do
  pid=\${line#?}
  case $line in
    +*) pids="$pids$pid " ;;
    -*) pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
[ "$pids" = ' ' ] || kill -9 $pids 2>/dev/null
`;

/** An engine ends by itself when its stdin closes, unless it is inside one long call into C, which nothing in that process
 *  can notice. So a small shell holds a pipe from this process, and ends what is left when the pipe breaks. Where there
 *  is no POSIX shell, the engines' own ways have to do. */
export function createReaper(): Reaper {
  const shell = spawn("/bin/sh", ["-c", SCRIPT], { env: {}, cwd: "/", stdio: ["pipe", "ignore", "ignore"] });
  shell.on("error", () => {});
  shell.stdin.on("error", () => {});
  shell.unref();
  return {
    watch(child) {
      if (child.pid === undefined) return;
      shell.stdin.write(`+${child.pid}\n`);
      child.once("exit", () => shell.stdin.write(`-${child.pid}\n`));
    },
    close() {
      shell.stdin.end();
    },
  };
}
