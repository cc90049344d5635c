// The same render by Fastify: body checked by schema, key and stored format by one query, templates compiled once.
import { createHash } from "node:crypto";
import Fastify from "fastify";
import Database from "better-sqlite3";
import Handlebars from "handlebars";

const database = new Database(process.env.BENCH_DATABASE, { readonly: true });
const query = database.prepare(`
  SELECT r.content_hash AS hash, r.id AS id FROM accounts_apikey k
  JOIN library_item i ON i.team_id = k.team_id AND i.kind = 'instruct-format' AND i.slug = ?
  JOIN library_revision r ON r.item_id = i.id AND r.number = i.head
  WHERE k.digest = ? AND k.revoked_at IS NULL`);
const read = database.prepare("SELECT document FROM library_revision WHERE id = ?");
const ready = new Map();

function compiled(found) {
  if (!ready.has(found.hash)) {
    const document = JSON.parse(read.get(found.id).document);
    const compile = (source) => Handlebars.compile(source, { noEscape: true, strict: false });
    const roles = Object.fromEntries(["system", "user", "assistant", "tool"].map((role) => [role, compile(document[role])]));
    ready.set(found.hash, { roles, suffix: document.promptSuffix, stop: document.stopStrings });
  }
  return ready.get(found.hash);
}

const message = {
  type: "object", required: ["role", "content"], additionalProperties: false,
  properties: { role: { enum: ["system", "user", "assistant", "tool"] }, content: { type: "string" } },
};
const schema = {
  body: {
    type: "object", required: ["format", "messages"], additionalProperties: false,
    properties: { format: { type: "string" }, messages: { type: "array", items: message } },
  },
  response: {
    200: { type: "object", properties: { prompt: { type: "string" }, stop: { type: "array", items: { type: "string" } } } },
  },
};

const server = Fastify({ bodyLimit: 16 * 1024 * 1024 });
server.post("/render", { schema }, (request, reply) => {
  const key = (request.headers.authorization ?? "").replace(/^Bearer /, "");
  const found = query.get(request.body.format, createHash("sha256").update(key).digest("hex"));
  if (!found) return reply.code(401).send({});
  const format = compiled(found);
  let prompt = "";
  for (const { role, content } of request.body.messages) prompt += format.roles[role]({ content, role, name: undefined });
  return reply.send({ prompt: prompt + format.suffix, stop: format.stop });
});
await server.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
