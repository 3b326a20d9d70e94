import { z } from "zod";
import {
  type ClientMessageDefinition,
  clientMessages,
  PROTOCOL_VERSION,
  type ServerMessageDefinition,
  STATUS_PHASES,
  serverMessages,
} from "../../src/server/ui/index.ts";
import { ERROR_CODES } from "../../src/shared/errors.ts";
import { table } from "./markdown.ts";

/** The reference page of the UI protocol, from the schemas that the server checks frames with. */
export function renderUiProtocol(): string {
  return [
    INTRODUCTION,
    "## From the client\n",
    ...Object.entries(clientMessages).map(([type, message]) => renderMessage(type, message)),
    "## From the server\n",
    ...Object.entries(serverMessages).map(([type, message]) => renderMessage(type, message)),
    "### Phases of `status`\n",
    table(
      ["phase", "meaning"],
      Object.entries(STATUS_PHASES).map(([phase, meaning]) => [`\`${phase}\``, meaning]),
    ),
    "### Codes of `error`\n",
    `${ERROR_CODES.map((code) => `\`${code}\``).join(", ")}. New ones may come.\n`,
    CLOSE_CODES,
  ].join("\n");
}

const INTRODUCTION = `# UI protocol

<!-- Generated from src/server/ui by \`npm run docs\`. -->

Protocol version ${PROTOCOL_VERSION}. \`cairn ui-server\` accepts WebSockets at \`ws://HOST:PORT/ws\`, by default
on \`127.0.0.1:7434\`. With a token set, a client sends \`Authorization: Bearer <token>\` or connects to
\`/ws?token=<token>\`. A page of another origin needs \`--allow-origin <origin>\`.
\`GET /health\` answers \`{ok, protocolVersion, cwd, threadCount}\`.

Every frame is one JSON object in a text frame: \`{"type": "…", "payload": {…}}\`. The server begins
with \`session.ready\`; the client need not send anything first.

Everything that happens on any thread goes to every client; a client picks its threads by
\`threadId\`. Each thread event carries \`seq\`. A client that was away connects, sends
\`thread.subscribe\` with the last \`seq\` it has seen, and gets the rest once and in order.
Send it within 200 ms of connecting, before other messages than \`session.start\`, \`thread.list\` and
\`thread.history\`: until then the server holds the events back, so that none comes twice.

A run on a thread sends \`status running\`, then \`assistant.delta\`, \`tool.call\` and \`tool.result\` as
they come, \`assistant.done\` at the end of each step, and at last exactly one \`status idle\`; a
cancelled one \`status aborted\` before it.

What every client has to do alike is \`cairn-memory/client\`: \`connectAgent\` comes back after a lost
connection, misses nothing, and takes part in questions only where it is given a way to show them. Given \`onLine\`
it makes lines of all of it: what was said and done, and questions whole, with the answers that there are. It runs
in browsers. A whole client on it is \`examples/ui-client.html\`, a script of fifty lines. Clients of many threads
take \`LiveSocket\` and \`EventOrder\` of it, as the page of \`cairn ui\` does.
`;

const CLOSE_CODES = `### Close codes

${table(
  ["code", "why"],
  [
    ["1000", "The client sent `session.stop`."],
    ["1001", "The server is stopping. Threads are kept; connect again later."],
    ["1007", "A text frame was not valid UTF-8."],
    ["1009", "A frame was larger than `limits.frameBytes` (1 MiB)."],
    [
      "1013",
      "More than `limits.outboundBytes` (8 MiB) waited for this client. Connect and subscribe again.",
    ],
  ],
)}`;

function renderMessage(
  type: string,
  { summary, payload }: ClientMessageDefinition | ServerMessageDefinition,
): string {
  const rows = fieldRows(z.toJSONSchema(payload, { io: "input" }) as JsonSchema, "");
  const fields = rows.length === 0 ? "No payload.\n" : table(["field", "type", ""], rows);
  return `### \`${type}\`\n\n${summary}\n\n${fields}`;
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

function fieldRows(schema: JsonSchema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    const path = `${prefix}${name}${optional}`;
    const row = [`\`${path}\``, typeName(field), field.description ?? ""];
    const inner = field.type === "array" ? field.items : field;
    const below = field.type === "array" ? `${prefix}${name}[].` : `${prefix}${name}.`;
    return [row, ...fieldRows(inner ?? {}, below)];
  });
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.length > 6 ? "text" : schema.enum.join(", ");
  if (schema.anyOf !== undefined) {
    return schema.anyOf
      .filter(({ type }) => type !== "null")
      .map(typeName)
      .join(" or ");
  }
  const names: Readonly<Record<string, string>> = { string: "text", array: "list" };
  const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
  return types.map((type) => names[type] ?? type).join(" or ");
}
