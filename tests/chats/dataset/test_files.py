"""A whole file: order, processes, going on after a kill, and files that are somebody else's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chats.services.dataset.input import numbered_lines
from chats.services.dataset.output import Output
from chats.services.dataset.plan import DatasetPlan
from chats.services.dataset.pool import chunks_of
from chats.services.dataset.run import render_file
from neotavern.ground.errors import AppError
from tests.chats.base import tiny_format

ROOT = Path(__file__).resolve().parents[3]
PLAN = DatasetPlan(document=tiny_format())


def rows(folder: Path, count: int) -> Path:
    """A file of so many rows, numbered."""
    path = folder / "in.jsonl"
    lines = [json.dumps({"n": n, "messages": [{"role": "user", "content": f"Hi {n}"}]}) for n in range(count)]
    path.write_text("\n".join(lines) + "\n")
    return path


def expected(count: int) -> bytes:
    return b"".join(b'{"n":%d,"text":"U:Hi %d\\n"}\n' % (n, n) for n in range(count))


def test_every_row_once_and_in_order(tmp_path: Path) -> None:
    made = render_file(PLAN, rows(tmp_path, 600), tmp_path / "out.jsonl")
    assert (made.rows, made.refused, made.resumed) == (600, 0, 0)
    assert (tmp_path / "out.jsonl").read_bytes() == expected(600)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_several_processes_give_the_same_file(tmp_path: Path) -> None:
    render_file(PLAN, rows(tmp_path, 1100), tmp_path / "out.jsonl", processes=2)
    assert (tmp_path / "out.jsonl").read_bytes() == expected(1100)


def test_a_torn_line_is_cut_and_the_rest_follows(tmp_path: Path) -> None:
    source, target = rows(tmp_path, 5), tmp_path / "out.jsonl"
    render_file(PLAN, source, target)
    whole = target.read_bytes()
    for left in range(len(whole) + 1):
        target.unlink()
        _leave(tmp_path, source, whole[:left])
        made = render_file(PLAN, source, target)
        assert target.read_bytes() == whole
        assert (made.resumed, made.rows) == (whole[:left].count(b"\n"), 5 - whole[:left].count(b"\n"))


def _leave(folder: Path, source: Path, begun: bytes) -> None:
    """Leave what a run that was killed leaves."""
    with pytest.raises(RuntimeError):
        render_file(PLAN, source, folder / "out.jsonl", wrote=_die)
    (folder / "out.jsonl.part").write_bytes(begun)


def _die(_: object) -> None:
    raise RuntimeError


def test_another_plan_does_not_go_on(tmp_path: Path) -> None:
    source, target = rows(tmp_path, 3), tmp_path / "out.jsonl"
    _leave(tmp_path, source, b'{"n":0}\n')
    with pytest.raises(AppError, match="another input, format or other options"):
        render_file(DatasetPlan(document=tiny_format(), bos="omit"), source, target)
    assert (tmp_path / "out.jsonl.part").read_bytes() == b'{"n":0}\n'
    made = render_file(DatasetPlan(document=tiny_format(), bos="omit"), source, target, restart=True)
    assert (made.rows, made.resumed, target.read_bytes()) == (3, 0, expected(3))


def test_another_input_does_not_go_on(tmp_path: Path) -> None:
    source = rows(tmp_path, 3)
    _leave(tmp_path, source, b'{"n":0}\n')
    source.write_text(source.read_text().replace("Hi 0", "Ho 0"))
    with pytest.raises(AppError, match="another input"):
        render_file(PLAN, source, tmp_path / "out.jsonl")


def test_a_finished_file_is_not_written_over(tmp_path: Path) -> None:
    source, target = rows(tmp_path, 1), tmp_path / "out.jsonl"
    target.write_text("mine")
    with pytest.raises(AppError, match="is there already"):
        render_file(PLAN, source, target)
    assert target.read_text() == "mine"
    render_file(PLAN, source, target, restart=True)
    assert target.read_bytes() == expected(1)


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    with Output(target, "key"), pytest.raises(AppError, match="Another run is writing"), Output(target, "key"):
        pass


def test_blank_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b"\xef\xbb\xbf[1]\r\n\n  \n[2]\n[3]")
    assert list(numbered_lines(path)) == [(1, b"[1]"), (4, b"[2]"), (5, b"[3]")]
    assert list(numbered_lines(path, skip=1)) == [(4, b"[2]"), (5, b"[3]")]


def test_chunks_know_the_number_of_every_line() -> None:
    lines = [(1, b"a"), (2, b"b"), (3, b"c"), (5, b"d")]
    assert list(chunks_of(lines, size=2)) == [(1, [b"a", b"b"]), (3, [b"c"]), (5, [b"d"])]


def test_a_killed_command_goes_on_where_it_was(tmp_path: Path) -> None:
    source, target = rows(tmp_path, 60_000), tmp_path / "out.jsonl"
    form = tmp_path / "form.json"
    form.write_text(json.dumps(tiny_format()))
    command = [sys.executable, "manage.py", "render_dataset", str(source), str(target)]
    command += ["--format", str(form), "--loss", "all", "--spans", "--workers", "1"]
    part = tmp_path / "out.jsonl.part"
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env=os.environ)
    _until_written(part, running)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert not target.exists()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ, check=True, timeout=120)
    numbers = [json.loads(line)["n"] for line in target.read_bytes().splitlines()]
    assert numbers == list(range(60_000))
    assert "were there" in done.stderr


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here: processes can not be looked at")
def test_processes_end_with_a_command_that_was_killed(tmp_path: Path) -> None:
    source, target = rows(tmp_path, 60_000), tmp_path / "out.jsonl"
    command = [sys.executable, "manage.py", "render_dataset", str(source), str(target)]
    command += ["--format", "chatml", "--loss", "all", "--spans", "--workers", "2"]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, env=os.environ)
    _until_written(tmp_path / "out.jsonl.part", running)
    children = _children(running.pid)
    assert len(children) >= 2
    running.send_signal(signal.SIGKILL)
    running.wait()
    for _ in range(3000):
        if not any(Path(f"/proc/{child}").exists() for child in children):
            return
        time.sleep(0.01)
    raise AssertionError("processes live on without the command")


def _children(parent: int) -> list[int]:
    """The processes whose parent it is."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
        except (OSError, ValueError):
            continue
    return found


def _until_written(part: Path, running: subprocess.Popen[bytes]) -> None:
    for _ in range(6000):
        if part.exists() and part.stat().st_size:
            return
        assert running.poll() is None, "the command ended before it was killed"
        time.sleep(0.01)
    raise AssertionError("nothing was written within a minute")
