// A CodeMirror editor in front of a text area, which stays the form's field: without a script it is the editor.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { plainInput } from "./input.js";
import { drawSelection, EditorView, keymap, placeholder } from "@codemirror/view";
import { templateCompletion } from "./completion.js";
import { literalLanguage, templateLanguage } from "./handlebars.js";
import { highlighting } from "./colours.js";

const editors = new Map();
const nonce = document.querySelector("meta[name=csp-nonce]")?.content ?? "";

/** The editor in front of `area`, or undefined while the area is plain. */
export const editorOf = (area) => editors.get(area);

/** Put an editor in front of a text area marked `data-editor`; asking twice changes nothing. */
export function mount(area) {
  if (editors.has(area)) return;
  const view = new EditorView({ state: startState(area) });
  area.after(view.dom);
  area.hidden = true;
  editors.set(area, view);
  document.querySelector(`label[for="${area.id}"]`)?.addEventListener("click", () => view.focus());
}

/** Write `text` into the field, whichever of the two shows it. */
export function write(area, text) {
  const view = editors.get(area);
  if (view) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  area.value = text;
}

/** Underline `errors` (`{line, column, message, severity}`, counted from 1), or nothing when there are none. */
export function underline(area, errors) {
  const view = editors.get(area);
  if (!view) return;
  const marks = errors.filter((error) => error.line).map((error) => diagnostic(view.state.doc, error));
  view.dispatch(setDiagnostics(view.state, marks));
  view.contentDOM.setAttribute("aria-invalid", String(errors.length > 0));
}

/** Move the cursor to a place in the field and show it. */
export function goTo(area, line, column) {
  const view = editors.get(area);
  if (!view) return area.focus();
  const at = line ? offset(view.state.doc, line, column) : 0;
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  view.focus();
  return view.dom.scrollIntoView({ block: "center" });
}

function startState(area) {
  const field = area.dataset.path;
  return EditorState.create({
    doc: area.value,
    extensions: [
      EditorView.cspNonce.of(nonce),
      EditorState.allowMultipleSelections.of(true),
      EditorState.readOnly.of(area.readOnly),
      EditorView.lineWrapping,
      history(),
      drawSelection(),
      plainInput,
      closeBrackets(),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      languageOf(area.dataset.editor),
      highlighting,
      area.dataset.editor === "handlebars" && !area.readOnly ? templateCompletion(field) : [],
      area.placeholder ? placeholder(area.placeholder) : [],
      EditorView.contentAttributes.of(labels(area)),
      EditorView.updateListener.of((update) => update.docChanged && copyBack(area, update.state.doc)),
    ],
  });
}

function languageOf(editor) {
  if (editor === "plain") return [];
  return editor === "literal" ? literalLanguage : templateLanguage(editor === "jinja");
}

function labels(area) {
  const described = area.getAttribute("aria-describedby");
  const name = document.querySelector(`label[for="${area.id}"]`)?.textContent.trim().replace(/\s+/g, " ") ?? area.dataset.path;
  return { "aria-label": name, ...(described ? { "aria-describedby": described } : {}), ...(area.readOnly ? { "aria-readonly": "true" } : {}) };
}

function copyBack(area, doc) {
  area.value = doc.toString();
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function offset(doc, line, column) {
  const row = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(row.from + Math.max((column ?? 1) - 1, 0), row.to);
}

function diagnostic(doc, error) {
  const from = offset(doc, error.line, error.column);
  const rest = doc.sliceString(from, doc.lineAt(from).to);
  const length = (/^(\{\{.*?\}\}+|[\w@.]+|\S)/.exec(rest) ?? [""])[0].length;
  return { from, to: from + length, severity: error.severity ?? "error", message: error.message };
}
