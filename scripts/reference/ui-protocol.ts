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
import { renderTable } from "./markdown.ts";

/** Renders the reference of the UI protocol from the schemas that validate frames. */
export function renderUiProtocol(): string {
  return [
    INTRODUCTION,
    "## From the client\n",
    ...Object.entries(clientMessages).map(([type, message]) => renderMessage(type, message)),
    "## From the server\n",
    ...Object.entries(serverMessages).map(([type, message]) => renderMessage(type, message)),
    "### Phases of `status`\n",
    renderTable(
      ["phase", "meaning"],
      Object.entries(STATUS_PHASES).map(([phase, meaning]) => [`\`${phase}\``, meaning]),
    ),
    "### Codes of `error`\n",
    `${ERROR_CODES.map((code) => `\`${code}\``).join(", ")}. Clients must accept unknown codes.\n`,
    CLOSE_CODES,
  ].join("\n");
}

const INTRODUCTION = `# UI protocol

<!-- Generated from src/server/ui by \`npm run docs\`. -->

Protocol version ${PROTOCOL_VERSION}. \`cairn ui-server\` accepts WebSockets at \`ws://HOST:PORT/ws\`, by default
on \`127.0.0.1:7434\`. If a token is set, send \`Authorization: Bearer <token>\` or connect to
\`/ws?token=<token>\`. A page of another origin needs \`--allow-origin <origin>\`.
\`GET /health\` returns \`{ok, protocolVersion, cwd, threadCount}\`.

Every frame is one JSON object in a text frame: \`{"type": "…", "payload": {…}}\`. The server sends
\`session.ready\` first, without waiting for the client.

Every client receives the events of all threads and selects by \`threadId\`. Each thread event has a \`seq\`. To resume,
connect and send \`thread.subscribe\` with the last received \`seq\`: the server replays the missing events once and in order.
Send it within 200 ms of connecting, before other messages than \`session.start\`, \`thread.list\` and
\`thread.history\`: until then the server delays events to avoid duplicates.

A run on a thread sends \`status running\`, then \`assistant.delta\`, \`tool.call\` and \`tool.result\` as
they occur, \`assistant.done\` at the end of each step, and finally exactly one \`status idle\`. A
cancelled run sends \`status aborted\` before it.

\`cairn-memory/client\` implements the common part of clients and runs in browsers. \`connectAgent\` reconnects after a lost
connection, replays missed events, and declares only the questions that it has handlers for. With \`onLine\` it renders
messages, actions and questions as lines of text. \`examples/ui-client.html\` is a complete client in fifty lines. Clients of
many threads, such as the page of \`cairn ui\`, use \`LiveSocket\` and \`EventOrder\`.
`;

const CLOSE_CODES = `### Close codes

${renderTable(
  ["code", "why"],
  [
    ["1000", "The client sent `session.stop`."],
    ["1001", "The server is stopping. Threads are stored; reconnect later."],
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
  const fields = rows.length === 0 ? "No payload.\n" : renderTable(["field", "type", ""], rows);
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
