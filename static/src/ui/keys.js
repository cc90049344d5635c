// Keys that work on every page. The list shown by `?` stands in templates/_keys.html.
import { openPalette } from "./palette.js";

export function startKeys() {
  const help = document.querySelector("#keys");
  document.querySelector("[data-open-keys]")?.addEventListener("click", (event) => {
    event.preventDefault();
    help?.showModal();
  });
  document.addEventListener("click", (event) => {
    if (event.target.matches("dialog")) event.target.close(); // a click beside its content
    if (event.target.closest("[data-close-dialog]")) event.target.closest("dialog").close();
  });
  document.addEventListener("keydown", (event) => onKey(event, help));
}

function onKey(event, help) {
  const command = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (command && key === "k") return act(event, openPalette);
  if (command && key === "s") return act(event, save);
  if (command && key === "enter") return act(event, showPrompt);
  if (command || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return undefined;
  if (key === "/") return act(event, openPalette);
  if (key === "?") return act(event, () => help?.showModal());
  if (key === "n") return act(event, () => document.querySelector("[data-key-new]")?.click());
  return undefined;
}

function act(event, action) {
  event.preventDefault();
  action();
}

function save() {
  const button = document.querySelector("[data-key-save]:not([disabled])");
  if (button) button.form.requestSubmit(button);
}

function showPrompt() {
  document.querySelector("#prompt-pane [data-prompt]")?.focus();
}

function isTyping(target) {
  return target.closest("input, textarea, select, [contenteditable]") !== null;
}
