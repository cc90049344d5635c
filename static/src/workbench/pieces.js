// The pieces of a prompt: pointing at one names its origin, a click or Enter chooses it, left and right walk over them.
import { partTitle } from "../chat/parts.js";

export function startPieces(root, choose) {
  root.addEventListener("mouseover", (event) => point(root, event.target.closest(".seg")));
  root.addEventListener("mouseleave", () => point(root, null));
  root.addEventListener("click", (event) => {
    const segment = event.target.closest(".seg");
    if (segment && String(getSelection()) === "") choose(segment);
  });
  root.addEventListener("keydown", (event) => onKey(event, root, choose));
}

function onKey(event, root, choose) {
  const prompt = event.target.closest("[data-prompt]");
  if (!prompt || event.ctrlKey || event.metaKey || event.altKey) return;
  const segments = [...prompt.querySelectorAll(".seg")];
  const at = segments.findIndex((segment) => segment.classList.contains("at"));
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && segments.length) {
    event.preventDefault();
    const next = segments[Math.min(Math.max(at + step, 0), segments.length - 1)];
    point(root, next);
    next.scrollIntoView({ block: "nearest" });
  }
  if (event.key === "Enter" && at >= 0) choose(segments[at]);
}

function point(root, segment) {
  const same = segment?.dataset.turn;
  for (const one of root.querySelectorAll(".seg")) {
    one.classList.toggle("same", same !== undefined && one.dataset.turn === same);
    one.classList.toggle("at", one === segment);
  }
  const line = root.querySelector("[data-origin-line]");
  if (line) line.textContent = segment ? (segment.dataset.origin ?? partTitle(same)) : line.dataset.idle;
}
