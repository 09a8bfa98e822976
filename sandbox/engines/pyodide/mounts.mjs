const FOLDER_MODE = 0o40755;
const WRITABLE = 0o222;

/** Shows a folder of the host to Python, which can change what the process's permissions allow. */
export function mountFolder(pyodide, path, folder) {
  pyodide.FS.mkdirTree(path);
  pyodide.mountNodeFS(path, folder);
  return pyodide.FS.lookupPath(path).node;
}

/** The folder is reached by a link on the server's side. To Python it is a folder: SQLite, which follows links, can't read
 *  that one. */
export function hideLink(root) {
  const { getattr } = root.node_ops;
  root.node_ops = { ...root.node_ops, getattr: (node) => ({ ...getattr(node), mode: FOLDER_MODE }) };
}

/** The permissions refuse what is written there, and Emscripten would keep that to itself: so that Python is told. */
export function showReadOnly(root) {
  const { lookup, getattr } = root.node_ops;
  const show = (node) => Object.assign(node, { mode: node.mode & ~WRITABLE, node_ops: operations });
  const operations = {
    ...root.node_ops,
    lookup: (parent, name) => show(lookup(parent, name)),
    getattr(node) {
      const attributes = getattr(node);
      return { ...attributes, mode: attributes.mode & ~WRITABLE };
    },
  };
  show(root);
}
