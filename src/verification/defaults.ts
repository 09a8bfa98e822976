interface Group {
  why: string;
  modules: string[];
  functions: string[];
}

/**
 * What doesn't pass when nothing else is configured. Ordinary data work does: files, tables, dates, numbers, charts,
 * SQLite, threads (they can do no more than the code that starts them). `module.name` is that function of that module,
 * `builtins.name` a built-in; `*` stands for the rest of a name.
 */
export const DEFAULT_GROUPS: Group[] = [
  {
    why: "code here starts and steers no processes; do it in Python itself",
    modules: [
      ...["subprocess", "_posixsubprocess", "multiprocessing", "pty", "tty", "termios", "pexpect", "sh", "plumbum"],
      // Signals are how a cell that runs too long is stopped.
      ...["signal", "_signal", "resource", "fcntl", "posix", "nt", "_winapi", "psutil", "ctypes", "_ctypes", "cffi"],
    ],
    functions: [
      ...["system", "popen*", "exec*", "spawn*", "posix_spawn*", "fork*", "kill*", "pidfd_*", "startfile"].map(of("os")),
      ...["abort", "_exit", "openpty", "login_tty", "set*id", "setgroups", "chroot", "unshare", "setns"].map(of("os")),
      ...["asyncio.create_subprocess_*", "asyncio.subprocess", "concurrent.futures.ProcessPoolExecutor"],
      ...["concurrent.futures.process", "numpy.ctypeslib", "numpy.f2py", "numpy.distutils"],
    ],
  },
  {
    why: "there is no network here; work with the files in the working folder",
    modules: [
      ...["socket", "_socket", "socketserver", "ssl", "_ssl", "select", "selectors", "urllib.request"],
      ...["urllib.robotparser", "urllib3", "http", "requests", "httpx", "httpcore", "aiohttp", "websocket"],
      ...["websockets", "ftplib", "smtplib", "smtpd", "imaplib", "poplib", "nntplib", "telnetlib", "xmlrpc"],
      ...["asyncore", "asynchat", "paramiko", "pycurl", "boto3", "botocore", "grpc", "webbrowser"],
    ],
    functions: ["open_*connection", "start_*server"].map(of("asyncio")),
  },
  {
    why: "code that is made while it runs can't be checked; write it out as Python",
    modules: [
      ...["importlib", "_imp", "imp", "_frozen_importlib", "_frozen_importlib_external", "pkgutil", "zipimport"],
      ...["runpy", "code", "codeop", "marshal", "shelve", "pip", "ensurepip", "micropip", "venv", "doctest", "pydoc"],
      // These run code that they are given as text; time.perf_counter() measures as well.
      ...["timeit", "profile", "cProfile", "IPython"],
    ],
    functions: [
      ...["eval", "exec", "compile", "__import__", "execfile", "reload", "breakpoint"].map(of("builtins")),
      "builtins.get_ipython",
      // A pickle runs what its author wrote into it. Writing one is harmless.
      ...["load", "loads", "Unpickler", "_load", "_loads", "_Unpickler"].flatMap((name) =>
        ["pickle", "_pickle", "cloudpickle", "dill"].map((module) => `${module}.${name}`),
      ),
      ...["joblib.load", "pandas.read_pickle", "torch.load", "types.CodeType", "types.FunctionType"],
    ],
  },
  {
    why: "the interpreter itself is not to be looked into; name the variables that you need",
    modules: ["inspect", "gc", "builtins", "__builtin__", "__main__", "pdb", "bdb", "trace", "faulthandler"],
    functions: [
      ...["globals", "locals", "vars"].map(of("builtins")),
      ...["_getframe*", "_current_frames", "_current_exceptions", "modules", "settrace", "setprofile"].map(of("sys")),
      ...["meta_path", "path_hooks", "path_importer_cache", "addaudithook", "_xoptions"].map(of("sys")),
      "sys.monitoring",
    ],
  },
  {
    why: "the way out to what hosts the interpreter is closed; write plain Python",
    modules: ["js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "pyodide_http"],
    functions: [],
  },
];

function of(module: string): (name: string) => string {
  return (name) => `${module}.${name}`;
}

export const DEFAULT_BLOCKED_MODULES = DEFAULT_GROUPS.flatMap(({ modules }) => modules);
export const DEFAULT_BLOCKED_FUNCTIONS = DEFAULT_GROUPS.flatMap(({ functions }) => functions);

/** TaskWeaver's own lists: they hold where a project sets one of its keys and leaves the other out. */
export const TASKWEAVER_ALLOWED_MODULES = [
  ...["pandas", "matplotlib", "numpy", "sklearn", "scipy", "seaborn", "datetime", "typing"],
];
export const TASKWEAVER_BLOCKED_FUNCTIONS = [
  ...["eval", "exec", "execfile", "compile", "open", "input", "raw_input", "reload", "__import__", "getattr"],
  ...["setattr", "delattr", "vars", "globals", "locals", "__getattribute__", "__setattr__", "__delattr__"],
];
