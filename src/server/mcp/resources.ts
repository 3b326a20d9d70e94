import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";
import {
  type CallOptions,
  DEFAULT_SHOWN,
  type McpResource,
  type Memory,
  type Operation,
  quoteJsonForModel,
} from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { escapeHidden } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { limitLists } from "./tools/call-tool.ts";

const URI_SCHEME = "memory://";
const JSON_MEDIA_TYPE = "application/json";

type Operations = ReadonlyMap<string, Operation>;

export function listResources(operations: Operations): Resource[] {
  return collectResources(operations)
    .filter(({ argument }) => argument === undefined || argument.optional)
    .map(({ name, summary }) => ({
      uri: `${URI_SCHEME}${name}`,
      name,
      description: summary,
      mimeType: JSON_MEDIA_TYPE,
    }));
}

export function listResourceTemplates(operations: Operations): ResourceTemplate[] {
  return collectResources(operations).flatMap(({ name, summary, argument }) => {
    if (argument === undefined) return [];
    const uriTemplate = `${URI_SCHEME}${name}/{${argument.name}}`;
    return [{ uriTemplate, name, description: summary, mimeType: JSON_MEDIA_TYPE }];
  });
}

/** Returns the completion kinds of a template argument, if any. */
export function suggestValues(
  operations: Operations,
  { uri, name }: { readonly uri: string; readonly name: string },
): string | undefined {
  const resource = collectResources(operations).find(
    ({ name: known, argument }) =>
      argument?.name === name && uri === `${URI_SCHEME}${known}/{${argument.name}}`,
  );
  return resource?.argument?.suggests;
}

/** Parses a resource URI into an operation's input. */
export function parseName(uri: string): { readonly id?: string } {
  const id = /^memory:\/\/[^/]+\/(.+)$/.exec(uri)?.[1];
  return id === undefined ? {} : { id };
}

/** Throws invalid_input and not_found. */
export async function readResource(
  memory: Memory,
  uri: string,
  call: Pick<CallOptions, "caller" | "signal" | "timeoutMs">,
) {
  const { resource, argument } = findResource(memory.operations, uri);
  const input = resource.input(argument);
  const output = await memory.executeNamed(resource.operation.name, input, {
    ...call,
    surface: "mcp",
    maxItems: DEFAULT_SHOWN,
  });
  const text = quoteJsonForModel(escapeHidden(limitLists(resource.pick(output)), 2));
  return { uri, mimeType: JSON_MEDIA_TYPE, text, _meta: { "cairn/database": memory.name } };
}

type OfferedResource = McpResource & { readonly operation: Operation };

function collectResources(operations: Operations): OfferedResource[] {
  return [...operations.values()].flatMap((operation) =>
    (operation.mcp?.resources ?? []).map((resource) => ({ ...resource, operation })),
  );
}

/** Resolves `memory://entity/file:src/app.ts` to resource `entity` and id `file:src/app.ts`. */
function findResource(operations: Operations, uri: string) {
  const path = uri.startsWith(URI_SCHEME) ? uri.slice(URI_SCHEME.length) : "";
  const at = path.indexOf("/");
  const name = at < 0 ? path : path.slice(0, at);
  const argument = at < 0 ? undefined : decode(path.slice(at + 1));
  const known = collectResources(operations);
  const resource = known.find((it) => it.name === name && matchesTemplate(it, argument));
  if (resource !== undefined) return { resource, argument };
  const names = known.map((it) => it.name);
  throw invalidInput(
    `uri: unknown resource; an example is memory://bootstrap.${didYouMean(name, names)}`,
  );
}

function matchesTemplate(resource: McpResource, argument: string | undefined): boolean {
  if (argument === undefined) return resource.argument === undefined || resource.argument.optional;
  return resource.argument !== undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
