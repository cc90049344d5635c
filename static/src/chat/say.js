// What is being written: part of the prompt at once, kept in this browser until it is added.
import { forget, keep, recall } from "../workbench/kept.js";

export function startSay(editor) {
  const say = document.querySelector("#say");
  if (!say) return;
  const text = say.querySelector("#say-text");
  const fault = say.querySelector("[data-say-fault]");
  const key = `say:${say.dataset.keep}`;
  if (!text.value) text.value = recall(key) ?? "";
  // whoever sends the settings sends what is being written too: the live prompt and the trace
  editor.addEventListener("formdata", (event) => {
    for (const [name, value] of new FormData(say)) if (name.startsWith("say.")) event.formData.append(name, value);
  });
  say.addEventListener("input", () => {
    keepText(key, text.value);
    fault.hidden = true;
    askAgain(editor);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.altKey) return;
    event.preventDefault();
    if (say.querySelector("[type=submit]")) say.requestSubmit(); // who may not write tries it out
  });
  say.addEventListener("say-refused", (event) => {
    fault.textContent = event.detail.message;
    fault.hidden = false;
  });
  say.addEventListener("chat-changed", () => {
    text.value = "";
    forget(key);
  });
}

/** The live prompt listens to the settings' form. */
export function askAgain(editor) {
  editor.dispatchEvent(new Event("change"));
}

function keepText(key, value) {
  if (value) keep(key, value);
  else forget(key);
}
