"""Run the cells of the notebooks in docs and write what they give: ``python -m tools.notebook``.

The cells are plain Python, so nothing of Jupyter is needed: the value of a cell's last line is its result, as there.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"


def read(path: Path) -> dict[str, Any]:
    """A notebook."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell with some names; gives its outputs in the form of the file."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())})
    if value is not None:
        outputs.append(
            {"data": _shown(value), "execution_count": None, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    drawn = getattr(value, "_repr_png_", None)
    if drawn is None:
        return {"text/plain": _lines(repr(value))}
    return {"image/png": base64.b64encode(drawn()).decode(), "text/plain": [f"<{type(value).__name__}>"]}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def refresh(path: Path) -> None:
    """Run a notebook from top to bottom and write it with its outputs."""
    book, names, count = read(path), {"__name__": "__main__"}, 0
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            cell["outputs"] = run("".join(cell["source"]), names)
            cell["execution_count"] = count
            for output in cell["outputs"]:
                if "execution_count" in output:
                    output["execution_count"] = count
    path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for notebook in sorted(DOCS.rglob("*.ipynb")):
        refresh(notebook)
        print(notebook.name)
