// Builds what the browser gets: `npm run assets`. The results are committed, since a fresh machine has no node.
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const shared = {
  bundle: true,
  minify: true,
  legalComments: "none",
  charset: "utf8",
  outdir: process.env.ASSETS_OUT ?? join(here, "../build"), // a test builds elsewhere and compares
  target: ["chrome123", "firefox121", "safari17.5"],
  logLevel: "info",
};

// Every page needs the small one, only a page with an editor needs CodeMirror, chats have one more.
const scripts = ["app.js", "workbench.js", "chat.js"].map((name) => join(here, name));
await build({ ...shared, entryPoints: scripts, format: "iife" });
await build({ ...shared, entryPoints: [join(here, "css/app.css")], entryNames: "app" });
