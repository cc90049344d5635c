"""How far the prompt is behind the typing: milliseconds from the last key to the changed prompt, in Chromium.

Goal: at most 300 ms on a quiet machine. Served by `manage.py serve` with a database of its own; needs Chromium.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.common import QUICK

GOAL_MS = 300.0
TRIES = 5 if QUICK else 20
PORT = 8877
ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WATCH = """(mark) => {
  window.seen = window.last = undefined;
  document.querySelector('#f-user').addEventListener('input', () => { window.last = performance.now(); });
  const watch = new MutationObserver(() => {
    if (!document.querySelector('[data-prompt]')?.textContent.includes(mark)) return;
    window.seen ??= performance.now();
    watch.disconnect();
  });
  watch.observe(document.querySelector('#prompt-output'), { childList: true, subtree: true });
}"""


def main() -> int:
    """Measure, and print the figures beside the goal."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None  # type: ignore[assignment]
    if CHROMIUM is None or sync_playwright is None:
        print("preview: skipped, no Chromium here (apt-get install chromium)")
        return 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        environment = os.environ | {"NEOTAVERN_DATA": folder}
        said = _manage("quickstart", environment)
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(PORT)],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait()
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
            times = _times(browser.new_page(), said)
            browser.close()
        finally:
            server.terminate()
            server.wait()
    low, high = min(times), max(times)
    print(f"last key to prompt: median {statistics.median(times):.0f} ms ({low:.0f}-{high:.0f}), goal {GOAL_MS:.0f} ms")
    return 0


def _manage(command: str, environment: dict[str, str]) -> str:
    arguments = [sys.executable, "manage.py", command]
    return subprocess.run(arguments, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


def _wait() -> None:
    for _ in range(300):
        try:
            urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit("preview: the server did not start")


def _times(page: Any, said: str) -> list[float]:
    """Log in, clone a format, and type into it."""
    found = dict(re.findall(r"^(User name|Password)\s+(\S+)", said, re.MULTILINE))
    page.goto(f"http://127.0.0.1:{PORT}/login/")
    page.fill("input[type=password]", found["Password"])
    page.locator("input[autocomplete=username], input[name=username], input[name=login]").first.fill(found["User name"])
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/**")
    page.goto(f"{page.url.split('/formats/')[0]}/formats/chatml/clone/")
    page.fill("#slug", "measured")
    page.keyboard.press("Enter")
    page.wait_for_selector("#prompt-output [data-prompt]")
    return [_one(page, f"<try{number}>") for number in range(TRIES)]


def _one(page: Any, mark: str) -> float:
    page.evaluate(WATCH, mark)
    page.locator("#f-user + .cm-editor .cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(mark + "{{{content}}}\n")
    end = time.monotonic() + 30
    while not page.evaluate("Boolean(window.seen)"):
        if time.monotonic() > end:
            raise SystemExit("preview: the prompt did not follow within 30 s")
        page.wait_for_timeout(10)
    return float(page.evaluate("window.seen - window.last"))


if __name__ == "__main__":
    sys.exit(main())
