import os
import traceback
from typing import Tuple

#: No one wants to see the frames of what runs the code. An engine adds its own.
OUR_FOLDERS = [os.path.dirname(os.path.abspath(__file__)) + os.sep]
MAXIMUM_TRACEBACK = 20_000


def describe_error(error: BaseException) -> Tuple[str, str, str]:
    """(name, message, traceback) with the user's own lines; frames of the runner are left out."""
    try:
        message = str(error)
    except Exception:  # a broken __str__ is the user's; the error is still worth telling
        message = "<message could not be made>"
    try:
        story = traceback.TracebackException.from_exception(error)
        _remove_our_frames(story, set())
        text = "".join(story.format())
    except Exception:
        text = f"{type(error).__name__}: {message}\n"
    return type(error).__name__, message[:MAXIMUM_TRACEBACK], _cut_the_middle(text)


def _remove_our_frames(story: traceback.TracebackException, seen: set) -> None:
    if story is None or id(story) in seen:
        return
    seen.add(id(story))
    kept = [frame for frame in story.stack if not frame.filename.startswith(tuple(OUR_FOLDERS))]
    # A cell with a top-level await is run by asyncio, whose frames come before the user's first one.
    first = next((position for position, frame in enumerate(kept) if frame.filename.startswith("<cell ")), 0)
    kept = kept[first:]
    story.stack = traceback.StackSummary.from_list(kept)
    for other in (story.__cause__, story.__context__, *(story.exceptions or ())):
        _remove_our_frames(other, seen)


def _cut_the_middle(text: str) -> str:
    """The last line says what went wrong, so it always stays whole."""
    if len(text) <= MAXIMUM_TRACEBACK:
        return text
    last_line = text.rstrip("\n").rsplit("\n", 1)[-1]
    head = text[: MAXIMUM_TRACEBACK // 2]
    tail = text[-max(MAXIMUM_TRACEBACK // 2, len(last_line) + 1) :]
    left_out = len(text) - len(head) - len(tail)
    return head + f"\n… {left_out} characters left out …\n" + tail if left_out > 0 else text
