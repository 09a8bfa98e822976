import { existsSync, lstatSync, readlinkSync } from "node:fs";
import type { SystemPython } from "./system-python.ts";

const MEBIBYTE = 1024 * 1024;
const TEMPORARY_MB = 64;
const SHARED_MB = 16;
export const WORKING_FOLDER = "/workspace";
export const PYTHON_IN_JAIL = "/run/taskweaver/python";
export const ENGINE_IN_JAIL = "/run/taskweaver/engine";

/** What of the host's /etc a library needs to be found and to work; nothing there tells of the host's users. */
const ETC = ["alternatives", "ld.so.cache", "fonts", "matplotlibrc", "localtime", "mime.types"];

export interface JailOptions {
  python: SystemPython;
  /** Folders with our own Python. */
  code: { python: string; engine: string };
  /** The working folder on the host; a description of the jail needs none. */
  folder?: string;
  /** Whether the server is root. Then the engine gives up root itself, and needs the right to; otherwise it is in a user
   *  namespace, where no right counts for anything outside. */
  root: boolean;
}

/** bubblewrap's arguments: everything unshared, nothing of the host but programs and libraries, all of it read-only but
 *  the working folder, and a small /tmp and /dev/shm of its own. */
export function jailArguments({ python, code, folder, root }: JailOptions): string[] {
  return [
    root
      ? ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
      : ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"],
    ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],
    ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"],
    readOnly("/usr"),
    // Folders on the way to a mount are made for their owner alone, who isn't the user that the code runs as.
    ...["/etc/x", PYTHON_IN_JAIL, ...python.folders].map(openWay),
    ...["/bin", "/sbin", "/lib", "/lib64", "/lib32"].map(systemFolder),
    ...ETC.map((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...python.folders.map((path) => readOnly(path)),
    readOnly(code.python, PYTHON_IN_JAIL),
    readOnly(code.engine, ENGINE_IN_JAIL),
    ["--proc", "/proc", "--dev", "/dev"],
    temporary("/dev/shm", SHARED_MB),
    temporary("/tmp", TEMPORARY_MB),
    folder === undefined ? ["--dir", WORKING_FOLDER] : ["--bind", folder, WORKING_FOLDER],
    // bubblewrap's own root and /dev are file systems in memory, without a limit.
    ["--remount-ro", "/dev", "--remount-ro", "/"],
    ["--chdir", WORKING_FOLDER],
  ].flat();
}

const openWay = (path: string) =>
  path
    .split("/")
    .slice(1, -1)
    .flatMap((_, depth, names) => ["--perms", "0755", "--dir", `/${names.slice(0, depth + 1).join("/")}`]);

const readOnly = (path: string, inside = path) => ["--ro-bind", path, inside];

const temporary = (path: string, megabytes: number) => [
  "--perms",
  "1777",
  "--size",
  String(megabytes * MEBIBYTE),
  "--tmpfs",
  path,
];

/** /bin and its like are links into /usr on most systems, and folders of their own on some. */
function systemFolder(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : readOnly(path);
}
