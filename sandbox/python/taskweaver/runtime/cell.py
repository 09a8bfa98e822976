import ast
import re
from typing import Any, Optional, Tuple

PIP_LINE = re.compile(r"^\s*[!%]\s*pip3?\s+install\b\s*(.*)$")
MAGIC_LINE = re.compile(r"^(\s*)([!%]{1,2}\s*[A-Za-z].*)$")
COMPILE_FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
PIP_HOOK = "__taskweaver_pip_install__"


def compile_cell(code: str, file_name: str) -> Tuple[Any, Optional[Any]]:
    """Compiles a cell to (statements, expression). The value of `expression`, if any, is the cell's result: a last
    expression, or the name that a last assignment to one name has bound."""
    tree = _parse(code, file_name)
    expression = _result_expression(tree)
    statements = compile(tree, file_name, "exec", flags=COMPILE_FLAGS, dont_inherit=True)
    if expression is None:
        return statements, None
    return statements, compile(expression, file_name, "eval", flags=COMPILE_FLAGS, dont_inherit=True)


def _parse(code: str, file_name: str) -> ast.Module:
    lines = code.split("\n")
    first_error = None
    while True:
        try:
            return compile("\n".join(lines), file_name, "exec", flags=ast.PyCF_ONLY_AST, dont_inherit=True)
        except SyntaxError as raised:
            error = raised
        # Only where Python finds no Python a notebook's line may be: in a string the same text is none.
        first_error = first_error or error
        index = (error.lineno or 0) - 1
        replaced = _replace_notebook_line(lines[index], index, file_name) if 0 <= index < len(lines) else None
        if replaced is None:
            raise first_error if PIP_HOOK in (error.text or "") else error
        lines[index] = replaced


def _replace_notebook_line(line: str, index: int, file_name: str) -> Optional[str]:
    """A call in the place of a line that asks for packages, so that all lines keep their numbers; None for other lines."""
    magic = MAGIC_LINE.match(line)
    if not magic:
        return None
    pip = PIP_LINE.match(line)
    if not pip:
        kind = "Shell commands" if magic.group(2).startswith("!") else "Notebook magics"
        raise SyntaxError(
            f"{kind} are not available here, write Python instead",
            (file_name, index + 1, len(magic.group(1)) + 1, line, None, None),
        )
    return f"{magic.group(1)}{PIP_HOOK}({pip.group(1)!r})"


def _result_expression(tree: ast.Module) -> Optional[ast.Expression]:
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
        return ast.Expression(last.value)
    if isinstance(last, ast.Assign) and len(last.targets) == 1:
        target = last.targets[0]
    elif isinstance(last, ast.AugAssign) or (isinstance(last, ast.AnnAssign) and last.value is not None):
        target = last.target
    else:
        return None
    if not isinstance(target, ast.Name):
        return None
    name = ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return ast.Expression(name)
