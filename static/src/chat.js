// The pages of a chat and of a trace: writing and ordering messages, what is being written, parts of the prompt.
import { startDrag } from "./chat/drag.js";
import { openPart, startParts } from "./chat/parts.js";
import { startReferences } from "./chat/references.js";
import { startSay } from "./chat/say.js";
import { startStages } from "./chat/stages.js";
import { startThread } from "./chat/thread.js";
import { startPieces } from "./workbench/pieces.js";

const editor = document.querySelector("#editor");
if (editor) {
  startReferences(editor); // before the draft is restored: it may have more rows than the page
  startSay(editor);
  startThread(editor);
  startDrag();
}
const trace = document.querySelector(".trace-panes");
if (trace) {
  startStages();
  startPieces(trace, (segment) => openPart(segment.dataset.turn));
}
startParts();
