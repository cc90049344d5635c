// The prompt pane: a span names its origin, a click goes there, a copy takes the very bytes.
import { word } from "../editor/vocabulary.js";
import { goToPath } from "./report.js";

export function startPrompt() {
  const pane = document.querySelector("#prompt-pane");
  if (!pane) return;
  const form = document.querySelector("#editor");
  pane.addEventListener("mouseover", (event) => point(pane, event.target.closest(".seg")));
  pane.addEventListener("mouseleave", () => point(pane, null));
  pane.addEventListener("click", (event) => {
    if (event.target.closest("[data-copy]")) return copy(pane, event.target.closest("[data-copy]"));
    const segment = event.target.closest(".seg");
    if (segment && String(getSelection()) === "") goToOrigin(form, pane, segment);
    return undefined;
  });
  pane.addEventListener("keydown", (event) => onKey(event, pane, form));
}

/** Left and right walk over the pieces of the prompt, Enter goes to where one comes from. */
function onKey(event, pane, form) {
  const prompt = event.target.closest("[data-prompt]");
  if (!prompt || event.ctrlKey || event.metaKey || event.altKey) return;
  const segments = [...prompt.querySelectorAll(".seg")];
  const at = segments.findIndex((segment) => segment.classList.contains("at"));
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && segments.length) {
    event.preventDefault();
    const next = segments[Math.min(Math.max(at + step, 0), segments.length - 1)];
    point(pane, next);
    next.scrollIntoView({ block: "nearest" });
  }
  if (event.key === "Enter" && at >= 0) goToOrigin(form, pane, segments[at]);
}

function point(pane, segment) {
  const same = segment?.dataset.turn;
  for (const one of pane.querySelectorAll(".seg")) {
    one.classList.toggle("same", same !== undefined && one.dataset.turn === same);
    one.classList.toggle("at", one === segment);
  }
  const origin = pane.querySelector("[data-origin-line]");
  if (origin) origin.textContent = segment ? segment.dataset.origin : origin.dataset.idle;
}

function goToOrigin(form, pane, segment) {
  if (segment.dataset.field) return goToPath(form, segment.dataset.field);
  const own = pane.querySelector("[data-own] textarea");
  if (own && !own.closest("[data-own]").hidden) own.focus();
  else pane.querySelector("[name='o.sample']").focus();
  return undefined;
}

async function copy(pane, button) {
  const text = pane.querySelector("[data-prompt]")?.textContent ?? "";
  const done = await put(text);
  const was = button.textContent;
  button.textContent = word(done ? "copied" : "copyFailed");
  setTimeout(() => { button.textContent = was; }, 1500);
}

/** The clipboard interface exists on https and localhost only; elsewhere a selected text area serves. */
async function put(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
