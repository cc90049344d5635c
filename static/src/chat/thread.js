// The messages: what changed is said aloud, the prompt follows, and the focus stays at what was moved.
import { reveal } from "../workbench/panes.js";
import { askAgain } from "./say.js";

export function startThread(editor) {
  // by request: the prompt's are under way at the same time, and a second move may begin before the first has settled
  const moves = new WeakMap();
  document.body.addEventListener("chat-changed", (event) => {
    document.querySelector("#preview-status").textContent = event.detail.said;
    askAgain(editor);
  });
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const row = event.target.closest?.(".said");
    if (row) moves.set(event.detail.xhr, row.dataset.id);
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    const shown = document.querySelector("#thread")?.dataset.shown;
    const sent = document.querySelector("#say [data-shown]");
    if (shown && sent) sent.value = shown;
    const moved = moves.get(event.detail.xhr);
    if (moved && document.activeElement === document.body) focusOn(document.getElementById(`m-${moved}`));
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-visit]");
    const target = link?.hash ? document.querySelector(link.hash) : null;
    if (!target || link.pathname !== location.pathname) return;
    event.preventDefault();
    visit(target);
  });
}

/** Show a message: its pane, its place, and for a moment a mark. */
function visit(message) {
  reveal("edit");
  message.scrollIntoView({ block: "center" });
  focusOn(message);
  message.classList.add("visited");
  setTimeout(() => message.classList.remove("visited"), 1500);
}

function focusOn(message) {
  const control = message?.querySelector("textarea, .acts button:not([disabled]), .acts a");
  control?.focus({ preventScroll: true });
}
