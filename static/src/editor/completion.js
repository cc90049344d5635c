// Completion inside a tag: variables first, then helpers; after `{{#` and `{{/` block helpers only.
import { autocompletion } from "@codemirror/autocomplete";
import { HELPERS, variablesOf } from "./vocabulary.js";

export function templateCompletion(field) {
  return autocompletion({ override: [(context) => complete(context, field)], icons: false });
}

function complete(context, field) {
  const before = context.matchBefore(/\{\{[^}]*$/);
  if (!before) return null;
  const start = context.matchBefore(/[\w@]*/);
  const block = /\{\{\{?~?[#/^]\w*$/.test(before.text);
  if (!context.explicit && start.from === start.to && !/[{#/( ]$/.test(before.text)) return null;
  const helpers = HELPERS.filter((helper) => !block || helper.block).map((helper) => ({ ...helper, type: "function" }));
  const variables = variablesOf(field).map((one) => ({ ...one, type: "variable", boost: 2 }));
  return { from: start.from, options: block ? helpers : [...variables, ...helpers], validFor: /^[\w@]*$/ };
}
