import type { Operation } from "../../src/memory/index.ts";
import { createRoutes, type Route } from "../../src/server/rest/index.ts";
import { renderInputTable, renderOutputLine, renderTable } from "./markdown.ts";

/** Renders the reference of all operations from their definitions. */
export function renderOperations(operations: ReadonlyMap<string, Operation>): string {
  const routes = new Map(createRoutes(operations).map((route) => [route.operation.name, route]));
  return [INTRODUCTION, ...Array.from(operations.values(), (it) => renderSection(it, routes))].join(
    "\n",
  );
}

const INTRODUCTION = `# Operations

<!-- Generated from src/memory/operations by \`npm run docs\`. -->

All operations on memory. Input and result are the same over every interface.
A star marks a required field. Unknown fields are errors. Lists of entities, labels, ids
and tags are comma-separated text or arrays; a label is \`key=value\`, an entity \`type:name\`. Times
are ISO 8601. See also [REST](rest.md), [MCP](mcp.md) and
[changesets](../guides/changeset.md).
`;

function renderSection(operation: Operation, routes: ReadonlyMap<string, Route>): string {
  const { name, summary, description } = operation;
  return [
    `## ${name}\n`,
    `${summary}.${description === undefined ? "" : ` ${description}`}\n`,
    renderTable(
      ["surface", ""],
      [
        ["REST", describeRoute(routes.get(name))],
        ["MCP", describeTool(operation)],
        ["shell", describeCommand(operation)],
        ["changeset", operation.changeset === undefined ? "—" : `\`${operation.changeset.op}\``],
      ],
    ),
    renderInputTable(operation),
    renderOutputLine(operation),
  ].join("\n");
}

function describeRoute(route: Route | undefined): string {
  return route === undefined ? "—" : `\`${route.method} ${route.template}\``;
}

function describeTool({ name, mcp }: Operation): string {
  if (mcp?.interfaces === false) return "—";
  const variants = mcp?.interfaces ?? ["a", "b"];
  const core = mcp?.core === true ? ", core" : "";
  return `\`${name}\` on ${variants.join(" and ")}${core}`;
}

function describeCommand({ name, cli }: Operation): string {
  if (cli?.example !== undefined) return `\`${cli.example}\``;
  if (cli?.command === false) return "—";
  return `\`cairn ${cli?.command ?? name.replaceAll("_", "-")}\``;
}
