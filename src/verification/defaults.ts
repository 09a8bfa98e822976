interface Group {
  /** What the model is told before it writes. */
  rule: string;
  /** What it is told when it has broken the rule. */
  why: string;
  modules: string[];
  functions: string[];
}

const words = (text: string) => text.trim().split(/\s+/);
const of = (module: string, names: string) => words(names).map((name) => `${module}.${name}`);

/**
 * What doesn't pass when nothing else is configured. Ordinary data work does: files, tables, dates, numbers, charts,
 * SQLite, threads (they can do no more than the code that starts them). `module.name` is that function of that module,
 * `builtins.name` a built-in; `*` stands for the rest of a name.
 */
export const DEFAULT_GROUPS: Group[] = [
  {
    rule: "No processes and no shell: subprocess, multiprocessing, signal, ctypes, os.system, os.exec* and their like.",
    why: "code here starts and steers no processes; do it in Python itself",
    // Signals are how a cell that runs too long is stopped.
    modules: words(`
      subprocess _posixsubprocess multiprocessing pty tty termios pexpect sh plumbum
      signal _signal resource fcntl posix nt _winapi psutil ctypes _ctypes cffi
    `),
    functions: [
      ...of("os", "system popen* exec* spawn* posix_spawn* fork* kill* pidfd_* startfile"),
      ...of("os", "openpty login_tty set*id setgroups chroot unshare setns"),
      ...of("asyncio", "create_subprocess_* subprocess"),
      ...of("concurrent.futures", "ProcessPoolExecutor process"),
      ...of("numpy", "ctypeslib f2py distutils"),
    ],
  },
  {
    rule: "No network: socket, requests, urllib.request, http, smtplib and their like.",
    why: "there is no network here; work with the files in the working folder",
    modules: words(`
      socket _socket socketserver ssl _ssl select selectors urllib.request urllib.robotparser urllib3 http
      requests httpx httpcore aiohttp websocket websockets ftplib smtplib smtpd imaplib poplib nntplib
      telnetlib xmlrpc asyncore asynchat paramiko pycurl boto3 botocore grpc webbrowser
    `),
    functions: of("asyncio", "open_*connection start_*server"),
  },
  {
    rule: "No code made while it runs: eval, exec, compile, importlib, timeit, reading pickles and their like.",
    why: "code that is made while it runs can't be checked; write it out as Python",
    // timeit and the profilers run code that they are given as text; time.perf_counter() measures as well.
    modules: words(`
      importlib _imp imp _frozen_importlib _frozen_importlib_external pkgutil zipimport runpy code codeop
      marshal shelve pip ensurepip micropip venv doctest pydoc timeit profile cProfile IPython
    `),
    functions: [
      ...of("builtins", "eval exec compile __import__ execfile reload breakpoint get_ipython"),
      // A pickle runs what its author wrote into it. Writing one is harmless.
      ...["pickle", "_pickle", "cloudpickle", "dill"].flatMap((module) =>
        of(module, "load loads Unpickler _load _loads _Unpickler"),
      ),
      ...words("joblib.load pandas.read_pickle torch.load types.CodeType types.FunctionType"),
    ],
  },
  {
    rule: "No look into the interpreter: globals, locals, vars, inspect, gc, sys.modules, frames.",
    why: "the interpreter itself is not to be looked into; name the variables that you need",
    modules: words("inspect gc builtins __builtin__ __main__ pdb bdb trace faulthandler"),
    functions: [
      ...of("builtins", "globals locals vars"),
      ...of("sys", "_getframe* _current_frames _current_exceptions modules settrace setprofile monitoring"),
      ...of("sys", "meta_path path_hooks path_importer_cache addaudithook"),
    ],
  },
  {
    rule: "No pyodide and no js.",
    why: "the way out to what hosts the interpreter is closed; write plain Python",
    modules: words("js pyodide pyodide_js _pyodide _pyodide_core pyodide_http"),
    functions: [],
  },
];

export const DEFAULT_BLOCKED_MODULES = DEFAULT_GROUPS.flatMap(({ modules }) => modules);
export const DEFAULT_BLOCKED_FUNCTIONS = DEFAULT_GROUPS.flatMap(({ functions }) => functions);

/** TaskWeaver's own lists: they hold where a project sets one of its keys and leaves the other out. */
export const TASKWEAVER_ALLOWED_MODULES = words(
  "pandas matplotlib numpy sklearn scipy seaborn datetime typing",
);
export const TASKWEAVER_BLOCKED_FUNCTIONS = words(`
  eval exec execfile compile open input raw_input reload __import__ getattr setattr delattr
  vars globals locals __getattribute__ __setattr__ __delattr__
`);
