"""What the browser benchmark sees in pictures and traces, and what it makes of it.

Covered: curves and changes in areas of frames, rates, tasks of the right thread, bars, the results section of a page.
Left out on purpose: a browser, and anything measured.
"""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bench import report
from bench.web import bars, pictures, results, traces

VIEWPORT_PX = 400
LEFT = pictures.Area(20, 20, 160, 100)
RIGHT = pictures.Area(220, 20, 160, 100)


def test_grey_axes_are_no_curves() -> None:
    seen = pictures.see([_frame(0.0, grey=[LEFT])], [LEFT], viewport_width=VIEWPORT_PX)
    assert seen.first_curves() is None
    assert seen.all_curves() is None


def test_first_curves_are_those_of_any_area() -> None:
    frames = [_frame(1.0), _frame(2.0, red=[RIGHT]), _frame(3.0, red=[LEFT, RIGHT])]
    seen = pictures.see(frames, [LEFT, RIGHT], viewport_width=VIEWPORT_PX)
    assert seen.first_curves() == 2.0
    assert seen.all_curves() == 3.0


def test_all_curves_are_there_once_nothing_changes_any_more() -> None:
    frames = [_frame(1.0), _frame(2.0, red=[LEFT, RIGHT]), _frame(3.0, red=[LEFT], blue=[RIGHT]), _frame(4.0)]
    still = [*frames[:3], _frame(5.0, red=[LEFT], blue=[RIGHT])]
    assert pictures.see(still, [LEFT, RIGHT], viewport_width=VIEWPORT_PX).all_curves() == 3.0
    assert pictures.see(frames, [LEFT, RIGHT], viewport_width=VIEWPORT_PX).all_curves() is None


def test_changes_outside_an_area_do_not_count() -> None:
    frames = [_frame(1.0, red=[LEFT]), _frame(2.0, red=[LEFT, RIGHT])]
    assert pictures.see(frames, [LEFT], viewport_width=VIEWPORT_PX).first_change() is None
    assert pictures.see(frames, [RIGHT], viewport_width=VIEWPORT_PX).first_change() == 2.0


def test_areas_are_found_in_smaller_pictures() -> None:
    frames = [_frame(1.0, shrunk=2), _frame(2.0, red=[RIGHT], shrunk=2)]
    seen = pictures.see(frames, [LEFT, RIGHT], viewport_width=VIEWPORT_PX)
    assert seen.changed.tolist() == [[False, False], [False, True]]


def test_rates_are_counted_by_area() -> None:
    frames = [_frame(at, red=[LEFT] if at % 2 else [], blue=[RIGHT]) for at in range(10)]
    seen = pictures.see(frames, [LEFT, RIGHT], viewport_width=VIEWPORT_PX)
    assert seen.rates(2.0, 6.0) == [1.0, 0.0]


def test_changes_before_an_input_are_not_its_answer() -> None:
    frames = [_frame(1.0), _frame(2.0, red=[LEFT]), _frame(3.0, blue=[LEFT]), _frame(4.0)]
    seen = pictures.see(frames, [LEFT], viewport_width=VIEWPORT_PX)
    assert (seen.first_change(2.5), seen.last_change(2.5), seen.last_change(5.0)) == (3.0, 4.0, None)


def test_nothing_filmed_is_nothing_seen() -> None:
    seen = pictures.see([], [LEFT], viewport_width=VIEWPORT_PX)
    assert (seen.first_curves(), seen.all_curves(), seen.first_change()) == (None, None, None)


def test_tasks_are_those_of_the_busiest_page() -> None:
    tasks = traces.main_thread_tasks(
        _trace(
            _thread(1, 1, "CrRendererMain"),
            _thread(2, 2, "CrRendererMain"),
            _thread(2, 3, "DedicatedWorker thread"),
            _event(1, 1, "RunTask", ts=0, dur=9_000),
            _event(2, 2, "RunTask", ts=1_000_000, dur=30_000),
            _event(2, 2, "FunctionCall", ts=1_000_100, dur=29_000),
            _event(2, 2, "RunTask", ts=2_000_000, dur=5_000),
            _event(2, 3, "RunTask", ts=1_000_000, dur=900_000),
        )
    )
    assert [(task.at, task.wall_ms, task.content) for task in tasks] == [(1.0, 30.0, "FunctionCall 29"), (2.0, 5.0, "")]
    assert traces.longest(tasks).wall_ms == 30.0
    assert traces.longest(tasks, begin=1.5).wall_ms == 5.0
    assert traces.longest(tasks, begin=3.0).wall_ms == 0.0


@pytest.mark.parametrize(("ours", "verdict"), [(20.0, "met"), (26.0, "missed"), (None, "not measured")])
def test_bars_say_whether_they_were_met(ours: float | None, verdict: str) -> None:
    row = bars.row("open", "ms", {"tensorboard": 100.0, "lightboard": ours})
    assert bars.at_least(row, 4).bar == f"≥ 4 ×: {verdict}"
    assert bars.at_most(row, 25).bar == f"≤ 25: {verdict}"


def test_two_bars_stand_side_by_side() -> None:
    row = bars.row("weight", "bytes", {"tensorboard": 1000.0, "lightboard": 100.0})
    assert bars.at_most(bars.at_least(row, 5), 50).bar == "≥ 5 ×: met; ≤ 50: missed"


def test_results_are_replaced_up_to_the_next_heading(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Title\n\n{results.HEADING}\n\nold\n\n## Results\n\nother\n")
    results.put_into(page, report.text([], {}))
    assert page.read_text().startswith(f"# Title\n\n{results.HEADING}\n\n\n| work")
    assert page.read_text().endswith("\n\n## Results\n\nother\n")
    assert "old" not in page.read_text()


def test_a_page_without_the_heading_is_left_alone(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Title\n")
    with pytest.raises(ValueError, match="browser"):
        results.put_into(page, "new")
    assert page.read_text() == "# Title\n"


def _frame(
    at: float,
    *,
    red: list[pictures.Area] | None = None,
    blue: list[pictures.Area] | None = None,
    grey: list[pictures.Area] | None = None,
    shrunk: int = 1,
) -> pictures.Frame:
    """A white page of 400 × 140 with a thick line through some areas."""
    pixels = np.full((140, VIEWPORT_PX, 3), 255, np.uint8)
    for areas, colour in ((red, (230, 30, 30)), (blue, (30, 30, 230)), (grey, (90, 90, 90))):
        for area in areas or []:
            y = int(area.y + area.height / 2)
            pixels[y : y + 4, int(area.x) + 8 : int(area.x + area.width) - 8] = colour
    out = io.BytesIO()
    picture = Image.fromarray(pixels)
    picture.resize((picture.width // shrunk, picture.height // shrunk)).save(out, "JPEG", quality=80)
    return pictures.Frame(at, base64.b64encode(out.getvalue()).decode())


def _trace(*events: dict[str, object]) -> bytes:
    return json.dumps({"traceEvents": events}).encode()


def _thread(pid: int, tid: int, name: str) -> dict[str, object]:
    return {"name": "thread_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}}


def _event(pid: int, tid: int, name: str, *, ts: int, dur: int) -> dict[str, object]:
    return {"name": name, "ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "tdur": dur, "args": {}}


def test_frames_after_an_input_count_up_to_the_first_pause() -> None:
    frames = [0.9, 1.1, 1.2, 1.35, 1.7, 1.8]
    assert traces.answering(frames, 1.0) == [1.1, 1.2, 1.35]
    assert traces.answering(frames, 1.9) == []


def test_frames_shown_are_those_the_browser_has_finished() -> None:
    events = [
        {"name": traces.FRAME, "ts": 2_000_000, "dur": 5_000},
        {"name": traces.FRAME, "ts": 1_000_000, "dur": 10_000},
        {"name": "Display::Other", "ts": 1_500_000, "dur": 10},
    ]
    assert traces.frames_shown(json.dumps({"traceEvents": events}).encode()) == [1.01, 2.005]
