// Colouring of template fields: tags, helpers, strings, comments, and the special tokens of the format.
import { StreamLanguage } from "@codemirror/language";
import { names } from "./colours.js";
import { HELPERS } from "./vocabulary.js";

const SPECIAL = /^(<\|[^|<>\n]{1,64}\|>|<\/?[a-z_]{1,32}>|\[\/?[A-Z_]{2,32}\])/;

/** Handlebars, or Jinja where `jinja` is set: both have tags in braces and text around them. */
export function templateLanguage(jinja = false) {
  const opening = jinja ? /^\{(\{|%|#)-?/ : /^\{\{\{?\{?[~#/^&>*!]?-?-?/;
  return StreamLanguage.define({
    name: jinja ? "jinja" : "handlebars",
    startState: () => ({ inside: "" }),
    token: (stream, state) => (state.inside ? insideTag(stream, state) : outsideTag(stream, state, opening)),
    tokenTable: names,
    languageData: { closeBrackets: { brackets: ["{", "(", '"', "'"] } },
  });
}

/** Literal text: nothing but the special tokens is coloured. */
export const literalLanguage = StreamLanguage.define({
  name: "literal",
  token(stream) {
    if (stream.match(SPECIAL)) return "special";
    stream.next();
    stream.eatWhile(/[^<[]/);
    return null;
  },
  tokenTable: names,
});

function outsideTag(stream, state, opening) {
  if (stream.match(/^\\\{\{/)) return null;
  const found = stream.match(opening);
  if (found) {
    state.inside = found[0].includes("!") || found[0].startsWith("{#-") || found[0] === "{#" ? "comment" : "tag";
    return state.inside === "tag" ? "brace" : state.inside;
  }
  if (stream.match(SPECIAL)) return "special";
  stream.next();
  stream.eatWhile(/[^{\\<[]/);
  return null;
}

function insideTag(stream, state) {
  if (state.inside === "comment") {
    if (stream.match(/^.*?(--)?(\}\}|#\})/)) state.inside = "";
    else stream.skipToEnd();
    return "comment";
  }
  if (stream.match(/^[-~]?(\}\}\}?\}?|%\})/)) {
    state.inside = "";
    return "brace";
  }
  if (stream.match(/^"[^"]*"?/) || stream.match(/^'[^']*'?/)) return "string";
  if (stream.match(/^-?\d+(\.\d+)?\b/)) return "number";
  const word = stream.match(/^[A-Za-z_@][\w.]*/);
  if (word) return HELPERS.some((helper) => helper.label === word[0]) || word[0] === "else" ? "helper" : "brace";
  stream.next();
  return "brace";
}
