/**
 * A shell command as Python, for an interpreter that has a shell beside it. The command's words are data in it; output
 * and exit status come back the way that Python's would.
 */
export function shellPython(command: string): string {
  return [
    "def __run_command(command):",
    "    import subprocess, sys",
    '    done = subprocess.run(["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True)',
    '    print(done.stdout.decode("utf-8", "replace"), end="")',
    '    print(done.stderr.decode("utf-8", "replace"), end="", file=sys.stderr)',
    "    if done.returncode != 0:",
    '        raise SystemExit(f"exit status {done.returncode}")',
    "",
    `__run_command(${JSON.stringify(command)})`,
    "del __run_command",
  ].join("\n");
}
