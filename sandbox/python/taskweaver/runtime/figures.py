import sys
from typing import Any


def save_figures(context: Any) -> None:
    """Each open matplotlib figure becomes a PNG artifact and is closed, as in a notebook."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return
    for position, number in enumerate(pyplot.get_fignums()):
        figure = pyplot.figure(number)
        _, path = context.create_artifact_path("figure", f"figure_{position}.png", "image", repr(figure))
        figure.savefig(path, dpi=200, bbox_inches="tight")
    pyplot.close("all")
