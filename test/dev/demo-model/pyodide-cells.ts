import { loadPyodide } from "pyodide";

export interface CellOutcome {
  ok: boolean;
  output: string;
  value: string;
  error: string;
}

/** One Python interpreter in this process, for programs of our own rules; each `fresh()` has its own variables and files. */
export async function pyodideCells() {
  const python = await loadPyodide();
  python.runPython(`
import os, shutil, sys, traceback, ast, io, contextlib

def run_cell(code, names):
    out = io.StringIO()
    try:
        tree = ast.parse(code)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with contextlib.redirect_stdout(out):
            exec(compile(tree, "<cell>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last else None
        return True, out.getvalue(), "" if value is None else repr(value), ""
    except BaseException:
        return False, out.getvalue(), "", traceback.format_exc()
`);
  const runCell = python.globals.get("run_cell");
  let folders = 0;
  return {
    /** An empty working folder and an empty memory. */
    fresh() {
      const folder = `/work-${folders++}`;
      python.FS.mkdir(folder);
      let names = python.runPython("{'__name__': '__main__'}");
      return {
        write: (name: string, content: string | Uint8Array) =>
          python.FS.writeFile(`${folder}/${name}`, content as string),
        read: (name: string): string => python.FS.readFile(`${folder}/${name}`, { encoding: "utf8" }),
        list: (): string[] => python.FS.readdir(folder).filter((name: string) => !name.startsWith(".")),
        /** What a sandbox does that lost its memory: the files stay. */
        forget: () => {
          names = python.runPython("{'__name__': '__main__'}");
        },
        run(code: string): CellOutcome {
          python.FS.chdir(folder);
          const outcome = runCell(code, names);
          const [ok, output, value, error] = outcome.toJs() as [boolean, string, string, string];
          outcome.destroy();
          return { ok, output, value, error };
        },
      };
    },
    python,
  };
}

export type Cells = Awaited<ReturnType<typeof pyodideCells>>;
export type Sandbox = ReturnType<Cells["fresh"]>;
