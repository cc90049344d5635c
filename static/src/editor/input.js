// Typing over a selection: the browser's own editing would write style attributes, which the content policy forbids.
import { EditorView } from "@codemirror/view";

export const plainInput = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const range = view.state.selection.main;
    if (event.inputType !== "insertText" || !event.data || range.empty || view.composing || view.state.readOnly) return false;
    event.preventDefault();
    type(view, range, event.data);
    return true;
  },
});

/** Insert as CodeMirror does for typed text: bracket closing and the like are asked first. */
function type(view, range, text) {
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, range.from, range.to, text, insert))) view.dispatch(insert());
}
