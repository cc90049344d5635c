// The page with an editor: CodeMirror in front of the fields, the live prompt beside it, drafts kept in the browser.
import { mount } from "./editor/editor.js";
import { startDraft } from "./workbench/draft.js";
import { startPanes } from "./workbench/panes.js";
import { startPreview } from "./workbench/preview.js";
import { startPrompt } from "./workbench/prompt.js";
import { startReport } from "./workbench/report.js";
import { startRows } from "./workbench/rows.js";

const form = document.querySelector("#editor");
if (form) {
  startDraft(form); // before the editors: they start from the restored text
  startRows();
  mountOpenSections(form);
  startPanes();
  startReport(form);
  startPrompt();
  startPreview(form);
} else if (document.querySelector("#rows")) startRows();

// A list that is searched is sent anew, and so is its form.
document.body.addEventListener("htmx:afterSwap", (event) => {
  const fresh = event.detail.target.id === "rows" && event.detail.target.querySelector("#editor");
  if (fresh) startDraft(fresh);
});

/** Editors are made when their section is first seen, so that a long form opens at once. */
function mountOpenSections(root) {
  for (const area of root.querySelectorAll("textarea[data-editor]")) {
    const section = area.closest("details.section");
    if (!section || section.open) mount(area);
    else section.addEventListener("toggle", () => mount(area), { once: true });
  }
}
