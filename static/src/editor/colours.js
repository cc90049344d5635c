// Token names of the template languages as classes; the colours stand in workbench.css.
import { syntaxHighlighting } from "@codemirror/language";
import { tagHighlighter, Tag, tags } from "@lezer/highlight";

export const names = {
  brace: Tag.define("brace"),
  helper: Tag.define("helper"),
  special: Tag.define("special"),
};

export const highlighting = syntaxHighlighting(
  tagHighlighter([
    { tag: names.brace, class: "tk-tag" },
    { tag: names.helper, class: "tk-helper" },
    { tag: names.special, class: "tk-special" },
    { tag: tags.string, class: "tk-string" },
    { tag: tags.number, class: "tk-number" },
    { tag: tags.comment, class: "tk-comment" },
  ]),
);
