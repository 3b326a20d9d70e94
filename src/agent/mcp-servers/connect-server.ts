import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Prompt, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { stripControlLine } from "../../shared/text.ts";
import { TOO_LARGE_MESSAGE } from "./bounded-fetch.ts";
import { type OpenTransport, openTransport, type TransportContext } from "./open-transport.ts";
import { plainSchema } from "./plain-schema.ts";
import type { McpServerSettings } from "./server-settings.ts";

/** Further entries of a list are ignored. */
const MAX_LISTED = 1_000;

export interface ServerFeatures {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

export interface ServerConnection {
  readonly client: Client;
  readonly offer: ServerFeatures;
  close(): Promise<void>;
}

export interface ConnectOptions extends TransportContext {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly version: string;
  /** Called when the server changes its tools, prompts or resources. */
  readonly onOffer: (offer: ServerFeatures) => void;
  /** Called when the connection ends; `problem` is the reason if known. */
  readonly onClose: (problem: string | undefined) => void;
  readonly signal: AbortSignal;
}

/** Lists tools, prompts and resources. Throws an error with a one-line message. */
export async function connectServer(options: ConnectOptions): Promise<ServerConnection> {
  const opened = await openTransport(options.settings, options);
  try {
    return await connectOver(opened, options);
  } catch (error) {
    await opened.transport.close().catch(() => undefined);
    await opened.cleanUp();
    throw new Error(describeFailure(error, opened, options.name));
  }
}

async function connectOver(
  { transport, cleanUp }: OpenTransport,
  options: ConnectOptions,
): Promise<ServerConnection> {
  const [{ Client }, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const client = new Client(
    { name: "cairn", version: options.version },
    { capabilities: { roots: {} } },
  );
  const { href: uri } = pathToFileURL(options.projectRoot);
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({
    roots: [{ uri, name: "project" }],
  }));
  const request = () => ({
    timeout: options.settings.timeoutMs,
    // The client never removes its listener from the signal.
    signal: AbortSignal.any([options.signal]),
  });
  await client.connect(transport, request());
  let offer = await listFeatures(client, request());
  const listAgain = async () => {
    offer = await listFeatures(client, request()).catch(() => offer);
    options.onOffer(offer);
  };
  for (const schema of [
    types.ToolListChangedNotificationSchema,
    types.PromptListChangedNotificationSchema,
    types.ResourceListChangedNotificationSchema,
  ]) {
    client.setNotificationHandler(schema, listAgain);
  }
  let problem: string | undefined;
  client.onerror = (error) => {
    // An abandoned program may run for seconds; do not wait for it.
    if (!isTooLarge(error)) return;
    problem = `it answered with ${TOO_LARGE_MESSAGE}`;
    options.onClose(problem);
  };
  client.onclose = () => {
    if (problem === undefined) options.onClose(undefined);
  };
  return {
    client,
    offer,
    async close() {
      delete client.onclose;
      await client.close();
      await cleanUp();
    },
  };
}

function isTooLarge({ message }: Error): boolean {
  return message === TOO_LARGE_MESSAGE || message.startsWith("ReadBuffer exceeded maximum size");
}

interface ListRequest {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

const LIST_REQUESTS = {
  tools: { method: "tools/list", read: toolFrom },
  prompts: { method: "prompts/list", read: promptFrom },
  resources: { method: "resources/list", read: resourceFrom },
} as const;

/** Skips invalid entries. */
async function listFeatures(client: Client, request: ListRequest): Promise<ServerFeatures> {
  const has = client.getServerCapabilities() ?? {};
  const list = async <Item>(
    kind: keyof typeof LIST_REQUESTS,
    read: (entry: unknown) => Item | undefined,
  ): Promise<readonly Item[]> => {
    if (has[kind] === undefined) return [];
    const entries = await allEntries(client, kind, request);
    return entries.flatMap((entry) => read(entry) ?? []);
  };
  const [tools, prompts, resources] = await Promise.all([
    list("tools", LIST_REQUESTS.tools.read),
    orEmpty(list("prompts", LIST_REQUESTS.prompts.read)),
    orEmpty(list("resources", LIST_REQUESTS.resources.read)),
  ]);
  return { tools, prompts, resources };
}

/** Some servers declare prompts or resources that they cannot list; their tools remain usable. */
async function orEmpty<Item>(list: Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await list;
  } catch {
    return [];
  }
}

const page = z.looseObject({ nextCursor: z.string().nullish() });

async function allEntries(
  client: Client,
  kind: keyof typeof LIST_REQUESTS,
  request: ListRequest,
): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request(
      { method: LIST_REQUESTS[kind].method, params },
      page,
      request,
    );
    const listed: unknown = answer[kind];
    const found: readonly unknown[] = Array.isArray(listed) ? listed : [];
    for (const entry of found) entries.push(entry);
    const next = answer.nextCursor ?? "";
    // Some servers end a list with an empty cursor, or repeat the last one.
    cursor = found.length === 0 || next === "" || cursors.has(next) ? undefined : next;
    cursors.add(next);
  } while (cursor !== undefined && entries.length < MAX_LISTED);
  return entries.slice(0, MAX_LISTED);
}

function toolFrom(entry: unknown): Tool | undefined {
  if (!isPlainObject(entry) || typeof entry.name !== "string" || entry.name === "")
    return undefined;
  const { name, title, description, annotations } = entry;
  return {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(isPlainObject(annotations) && { annotations }),
    inputSchema: plainSchema(entry.inputSchema),
  } as Tool;
}

function promptFrom(entry: unknown): Prompt | undefined {
  if (!isPlainObject(entry) || typeof entry.name !== "string" || entry.name === "")
    return undefined;
  const { name, title, description } = entry;
  const declared = Array.isArray(entry.arguments) ? entry.arguments : [];
  const named = declared.filter((one) => isPlainObject(one) && typeof one.name === "string");
  return {
    name,
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    arguments: named.map((one) => ({ name: one.name, required: one.required === true })),
  };
}

function resourceFrom(entry: unknown): Resource | undefined {
  if (!isPlainObject(entry) || typeof entry.uri !== "string") return undefined;
  const { uri, name, title } = entry;
  return {
    uri,
    name: typeof name === "string" ? name : uri,
    ...(typeof title === "string" && { title }),
  };
}

function describeFailure(error: unknown, { errors }: OpenTransport, name: string): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  const text = stripControlLine(messageOf(error)).slice(0, 300);
  if (code === "ENOENT") return `${text}: the command is not installed, or not in the PATH`;
  if (code === 401 || code === 403 || /login has expired|Unauthorized/.test(text)) {
    return `${text}: /mcp login ${name} logs in with your browser; or give it a key in "headers", such as "Authorization": "Bearer \${NAME}"`;
  }
  const last = stripControlLine(errors().trim().split("\n").slice(-3).join(" ")).slice(-300);
  return last === "" ? text : `${text}; its last output: ${last}`;
}
