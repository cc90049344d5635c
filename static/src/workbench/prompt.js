// The prompt pane: a span names its origin, a click goes there, a copy takes the very bytes.
import { word } from "../editor/vocabulary.js";
import { openPart } from "../chat/parts.js";
import { startPieces } from "./pieces.js";
import { goToPath } from "./report.js";

export function startPrompt() {
  const pane = document.querySelector("#prompt-pane");
  if (!pane) return;
  const form = document.querySelector("#editor");
  startPieces(pane, (segment) => goToOrigin(form, pane, segment));
  pane.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (button) copy(pane, button);
  });
}

function goToOrigin(form, pane, segment) {
  if (segment.dataset.origin === undefined) return openPart(segment.dataset.turn); // a chat's prompt has parts
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
