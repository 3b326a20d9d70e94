import type { Operation } from "../../src/memory/index.ts";
import {
  exposedTools,
  instructionsFor,
  listResources,
  listResourceTemplates,
  mcpPrompts,
} from "../../src/server/mcp/index.ts";
import { table } from "./markdown.ts";

/** The reference page of the MCP server, from the registry. */
export function renderMcp(operations: ReadonlyMap<string, Operation>): string {
  const all = { tools: "all", structured: false, hasLayers: true } as const;
  const a = exposedTools(operations, { ...all, interface: "a" });
  const b = exposedTools(operations, { ...all, interface: "b" });
  const core = exposedTools(operations, { interface: "a", tools: "core", structured: false });
  const names = [...operations.keys()].filter((name) => a.has(name) || b.has(name));
  const mark = (has: boolean) => (has ? "✓" : "");
  const rows = names.map((name) => [
    `[${name}](operations.md#${name})`,
    mark(a.has(name)),
    mark(b.has(name)),
    mark(core.has(name)),
    hints(operations.get(name)),
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
    table(["tool", "a", "b", "core", ""], rows),
    AFTER_TOOLS,
    "## Resources\n",
    table(["resource", ""], resources),
    AFTER_RESOURCES,
    "## Prompts\n",
    table(["prompt", "", "arguments"], prompts),
    "## Instructions\n",
    "What the server tells a model about itself, on interface a:\n",
    `${instructionsFor({ interface: "a", tools: "all", structured: false })
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
\`Last-Event-ID\`, ends with DELETE or after 30 minutes without a request, and there are at most 256 of
them: the one that is idle longest makes room. A request without a session is answered alone, in JSON. The guards
of [REST](rest.md) apply. What is remembered without a \`session\` gets that of the connection.
`;

const AFTER_TOOLS = `Every tool answers with text that is made for a model: a line for each record, its prose below it,
nothing that is empty, days instead of times to the millisecond. \`recall\` gives the best first, at
most 6 000 characters unless \`max_chars\` says otherwise, at most five facts of a cluster, and no fact
twice; \`remember\` shows the five collisions that are closest in wording, with \`collisions_total\`.
The input schemas leave out generous bounds and other forms than text; the server accepts them all.

With \`--structured\` or \`?structured=1\` tools have output schemas and whole input schemas, and answers
carry structured content, the same JSON as over REST, beside the text. Most agents show a model the
structured content instead of the text where there is one, so this is for programs. There, \`recall\`
also links to the resource of each concept that it found.

A call that fails has \`isError\` and \`{"error": {"code", "message", "details"?}}\` as text and as
structured content, in both modes.

\`remember\` and \`recall\` ask clients that load tools on demand to have them at once
(\`anthropic/alwaysLoad\`); nothing that is not gone for good is marked destructive but the tools that
delete single items and \`undo\`.
`;

const AFTER_RESOURCES = `Arguments of templates that name what memory holds (concepts, entities, labels, topics) and the
\`task\` of \`start_session\` are completed with \`completion/complete\`.

\`resources/subscribe\` takes any of these URIs, at most 100 for a client. \`notifications/resources/updated\`
follows each write after which its content is another, whichever process wrote; over HTTP it comes on the
stream of the session. The list of resources never changes, so no server tells of that.
`;

const CONFORMANCE = `## Conformance

The public suite, \`@modelcontextprotocol/conformance\` 0.1.16 with \`--suite all\` against
\`http://127.0.0.1:7433/mcp\` (it needs Node.js 22), passes 10 checks and fails 23. None of these is a breach of the protocol:
most scenarios call tools, resources and prompts that only a server made for the suite has.

| scenarios | result | why |
| --- | --- | --- |
| server-initialize, ping, tools-list, resources-list, prompts-list, completion-complete, server-sse-polling, server-sse-multiple-streams, dns-rebinding-protection | pass | |
| resources-subscribe, resources-unsubscribe | fail | they subscribe to \`test://watched-resource\`, and only resources that exist are taken |
| tools-call-simple-text, -error, -with-progress; json-schema-2020-12; resources-read-text, resources-templates-read; prompts-get-simple, -with-args | fail | made for the suite's own tools, resources and prompts; the behaviour is tested with cairn's |
| tools-call-image, -audio, -mixed-content, -embedded-resource; resources-read-binary; prompts-get-embedded-resource, -with-image | fail | memory holds text |
| logging-set-level, tools-call-with-logging | fail | logging is not offered: the server's log is for who runs it |
| tools-call-sampling, tools-call-elicitation, elicitation-sep1034-defaults, elicitation-sep1330-enums | fail | no tool asks a model or a person |
`;

function hints(operation: Operation | undefined): string {
  if (operation?.kind === "read") return "reads";
  return operation?.mcp?.destructive === true ? "writes, may take away" : "writes";
}
