// Every page: htmx, menus, theme, search and keys. Pages read and save without any of it.
import htmx from "htmx.org/dist/htmx.esm.js";
import { startKeys } from "./ui/keys.js";
import { startMenus } from "./ui/menus.js";
import { startPalette } from "./ui/palette.js";
import { startTheme } from "./ui/theme.js";
import { startDrop } from "./ui/drop.js";
import { startForms, startSheet } from "./ui/forms.js";

document.documentElement.classList.remove("no-js");
window.htmx = htmx; // the workbench script triggers and listens through the same instance

document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  startMenus();
  startForms();
  startDrop();
  startSheet();
  startPalette();
  startKeys();
});
