// What may stand in a template. The words come from the page, where they are translated.
const page = document.querySelector("#editor-words");
const words = page ? JSON.parse(page.textContent) : { helpers: [], variables: {} };

/** @type {{label: string, detail: string, info: string}[]} */
export const HELPERS = words.helpers;

/** Variables of one template field: `[{label, info}]`. */
export function variablesOf(field) {
  return words.variables[field] ?? words.variables.default ?? [];
}

export function word(key) {
  return words.texts?.[key] ?? "";
}
