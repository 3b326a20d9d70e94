import type { Operation } from "../../src/memory/index.ts";
import {
  createExposedTools,
  createInstructions,
  listResources,
  listResourceTemplates,
  mcpPrompts,
} from "../../src/server/mcp/index.ts";
import { renderTable } from "./markdown.ts";

/** Renders the reference of the MCP server from the registry. */
export function renderMcp(operations: ReadonlyMap<string, Operation>): string {
  const all = { tools: "all", structured: false, hasLayers: true } as const;
  const a = createExposedTools(operations, { ...all, interface: "a" });
  const b = createExposedTools(operations, { ...all, interface: "b" });
  const core = createExposedTools(operations, { interface: "a", tools: "core", structured: false });
  const names = [...operations.keys()].filter((name) => a.has(name) || b.has(name));
  const mark = (has: boolean) => (has ? "✓" : "");
  const rows = names.map((name) => [
    `[${name}](operations.md#${name})`,
    mark(a.has(name)),
    mark(b.has(name)),
    mark(core.has(name)),
    renderHints(operations.get(name)),
  ]);
  const resources = [
    ...listResources(operations).map(({ uri, description }) => [`\`${uri}\``, description ?? ""]),
    ...listResourceTemplates(operations).map(({ uriTemplate, description }) => [
      `\`${uriTemplate}\``,
      description ?? "",
    ]),
  ];
  const prompts = mcpPrompts.map((prompt) => [
    `\`${prompt.name}\``,
    prompt.description,
    prompt.arguments.map(({ name, required }) => `\`${name}${required ? "" : "?"}\``).join(", "),
  ]);
  return [
    INTRODUCTION,
    "## Tools\n",
    renderTable(["tool", "a", "b", "core", ""], rows),
    AFTER_TOOLS,
    "## Resources\n",
    renderTable(["resource", ""], resources),
    AFTER_RESOURCES,
    "## Prompts\n",
    renderTable(["prompt", "", "arguments"], prompts),
    "## Instructions\n",
    "The instructions that the server sends to a model on interface a:\n",
    `${createInstructions({ interface: "a", tools: "all", structured: false })
      .replaceAll(/^(?=.)/gm, "> ")
      .replaceAll(/^$/gm, ">")}\n`,
    CONFORMANCE,
  ].join("\n");
}

const INTRODUCTION = `# MCP

<!-- Generated from src/memory/operations and src/server/mcp by \`npm run docs\`. -->

\`cairn mcp\` speaks MCP on standard input and output; \`cairn serve\` speaks Streamable HTTP at
\`http://127.0.0.1:7433/mcp\`. Configs to paste are in [the guide](../guides/mcp-clients.md).

| choice | \`cairn mcp\` | \`/mcp\` |
| --- | --- | --- |
| database | \`--db NAME\` | \`?db=NAME\` |
| interface: \`a\` (labels and the change feed) or \`b\` (topics) | \`--interface b\` | \`?interface=b\` |
| tools: \`all\` or \`core\` | \`--tools core\` | \`?tools=core\` |
| structured content and output schemas, for programs | \`--structured\` | \`?structured=1\` |

Over HTTP, \`initialize\` opens a session, named in \`Mcp-Session-Id\`. It is resumable with
\`Last-Event-ID\` and ends with DELETE or after 30 minutes without a request. The server keeps at most 256
sessions and closes the one that is idle longest. A request without a session gets a JSON response. The same guards as for
[REST](rest.md) apply. Items stored without a \`session\` get the session of the connection.
`;

const AFTER_TOOLS = `Tools return text for models: one line per record followed by its prose, without empty fields, with dates
instead of timestamps. \`recall\` returns the best items first: at most 6 000 characters (\`max_chars\`) and at most
five facts of a cluster, without duplicates. \`remember\` returns the five most similar collisions, with \`collisions_total\`.
The input schemas omit generous bounds and alternatives to text; the server accepts both.

With \`--structured\` or \`?structured=1\`, tools have output schemas and complete input schemas, and results
contain structured content, the same JSON as over REST, next to the text. Use it for programs: most agents show a
model the structured content instead of the text. In this mode \`recall\` also links to the resource of each concept.

A failed call has \`isError\` and \`{"error": {"code", "message", "details"?}}\` as text and as
structured content, in both modes.

\`remember\` and \`recall\` request to be loaded immediately (\`anthropic/alwaysLoad\`). \`undo\` and the tools that delete
single items are marked destructive.
`;

const AFTER_RESOURCES = `\`completion/complete\` completes template arguments (concepts, entities, labels, topics) and the \`task\` of
\`start_session\`.

\`resources/subscribe\` accepts any of these URIs, at most 100 per client. The server sends
\`notifications/resources/updated\` after each write, by any process, that changes the content of the resource; over HTTP on
the stream of the session. The list of resources never changes, so there is no notification for it.
`;

const CONFORMANCE = `## Conformance

The public suite, \`@modelcontextprotocol/conformance\` 0.1.16 with \`--suite all\` against
\`http://127.0.0.1:7433/mcp\` (it needs Node.js 22), passes 10 checks and fails 23. None of the failures violates the
protocol: most scenarios need tools, resources and prompts of a test server.

| scenarios | result | why |
| --- | --- | --- |
| server-initialize, ping, tools-list, resources-list, prompts-list, completion-complete, server-sse-polling, server-sse-multiple-streams, dns-rebinding-protection | pass | |
| resources-subscribe, resources-unsubscribe | fail | they subscribe to \`test://watched-resource\`; only existing resources are accepted |
| tools-call-simple-text, -error, -with-progress; json-schema-2020-12; resources-read-text, resources-templates-read; prompts-get-simple, -with-args | fail | they need the suite's tools, resources and prompts; cairn's tests cover the behavior |
| tools-call-image, -audio, -mixed-content, -embedded-resource; resources-read-binary; prompts-get-embedded-resource, -with-image | fail | memory contains only text |
| logging-set-level, tools-call-with-logging | fail | logging is not offered: the server's log is for its operator |
| tools-call-sampling, tools-call-elicitation, elicitation-sep1034-defaults, elicitation-sep1330-enums | fail | no tool queries a model or a user |
`;

function renderHints(operation: Operation | undefined): string {
  if (operation?.kind === "read") return "reads";
  return operation?.mcp?.destructive === true ? "writes, destructive" : "writes";
}
