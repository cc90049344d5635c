"use strict";
// Renders the cases on standard input with handlebars.js: one process for all of them. Our helpers are registered with
// the semantics of docs/handlebars.md. Answers one line of JSON per case: {"text"} or {"error"}.
const Handlebars = require("handlebars");

const engine = Handlebars.create();
const truthy = (value) => !(!value || engine.Utils.isEmpty(value));
const text = (value) => (value === undefined || value === null ? "" : String(value));
const comparable = (a, b) => typeof a === typeof b && (typeof a === "number" || typeof a === "string");
const operands = (all) => Array.prototype.slice.call(all, 0, -1);

engine.registerHelper({
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => comparable(a, b) && a < b,
  lte: (a, b) => comparable(a, b) && a <= b,
  gt: (a, b) => comparable(a, b) && a > b,
  gte: (a, b) => comparable(a, b) && a >= b,
  not: (a) => !truthy(a),
  and() {
    const all = operands(arguments);
    const index = all.findIndex((value) => !truthy(value));
    return index < 0 ? all[all.length - 1] : all[index];
  },
  or() {
    const all = operands(arguments);
    const index = all.findIndex(truthy);
    return index < 0 ? all[all.length - 1] : all[index];
  },
  default: (value, fallback) => (value === undefined || value === null || value === "" ? fallback : value),
  trim: (value) => text(value).trim(),
  upper: (value) => text(value).toUpperCase(),
  lower: (value) => text(value).toLowerCase(),
  join() { const [value, separator] = operands(arguments); return Array.isArray(value) ? value.map(text).join(separator === undefined ? "," : text(separator)) : text(value); },
  length: (value) => (typeof value === "string" || Array.isArray(value) ? value.length : value && typeof value === "object" ? Object.keys(value).length : 0),
  json: (value, options) => (value === undefined ? "" : JSON.stringify(value, null, options.hash.indent)),
});

const answer = ({ template, data, partials, escape }) => {
  try {
    return { text: engine.compile(template, { noEscape: !escape })(data, { partials: Object.assign({}, partials) }) };
  } catch (error) {
    return { error: String(error.message).slice(0, 200) };
  }
};

let input = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => { input += chunk; });
process.stdin.on("end", () => {
  const lines = input.split("\n").filter(Boolean).map((line) => JSON.stringify(answer(JSON.parse(line))));
  process.stdout.write(lines.join("\n"));
});
