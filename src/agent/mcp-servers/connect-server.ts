import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Prompt, Resource, Tool } from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "../../shared/errors.ts";
import { stripControlLine } from "../../shared/text.ts";
import { TOO_LARGE } from "./bounded-fetch.ts";
import { type OpenTransport, openTransport, type TransportPlace } from "./open-transport.ts";
import type { McpServerSettings } from "./server-settings.ts";

/** A server that lists more than this is not listed further. */
const MAX_LISTED = 1_000;

/** What a server offers. */
export interface Offer {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
}

export interface ServerConnection {
  readonly client: Client;
  readonly offer: Offer;
  close(): Promise<void>;
}

export interface ConnectOptions extends TransportPlace {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly version: string;
  /** The server has another offer now. */
  readonly onOffer: (offer: Offer) => void;
  /** The connection has ended, by whomever; `problem` tells why, where that is known. */
  readonly onClose: (problem: string | undefined) => void;
  readonly signal: AbortSignal;
}

/** Connects and asks what there is. Throws an error whose message is one line for a person. */
export async function connectServer(options: ConnectOptions): Promise<ServerConnection> {
  const opened = await openTransport(options.settings, options);
  try {
    return await connectOver(opened, options);
  } catch (error) {
    await opened.transport.close().catch(() => undefined);
    await opened.cleanUp();
    throw new Error(failureOf(error, opened, options.name));
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
    // The client leaves its listener behind.
    signal: AbortSignal.any([options.signal]),
  });
  await client.connect(transport, request());
  let offer = await listOffer(client, request());
  const listAgain = async () => {
    // A server that changes its mind and cannot say to what keeps its old offer.
    offer = await listOffer(client, request()).catch(() => offer);
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
    // A program that is given up may go on for seconds: nobody waits for that.
    if (!isTooLarge(error)) return;
    problem = `it answered with ${TOO_LARGE}`;
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

/** Ours, or what the library says of a program's line. */
function isTooLarge({ message }: Error): boolean {
  return message === TOO_LARGE || message.startsWith("ReadBuffer exceeded maximum size");
}

interface ListRequest {
  readonly timeout: number;
  readonly signal: AbortSignal;
}

async function listOffer(client: Client, request: ListRequest): Promise<Offer> {
  const has = client.getServerCapabilities() ?? {};
  const [tools, prompts, resources] = await Promise.all([
    has.tools === undefined
      ? []
      : allPages(async (page) => {
          const { tools: list, nextCursor } = await client.listTools(page, request);
          return { list, nextCursor };
        }),
    has.prompts === undefined
      ? []
      : allPages(async (page) => {
          const { prompts: list, nextCursor } = await client.listPrompts(page, request);
          return { list, nextCursor };
        }),
    has.resources === undefined
      ? []
      : allPages(async (page) => {
          const { resources: list, nextCursor } = await client.listResources(page, request);
          return { list, nextCursor };
        }),
  ]);
  return { tools, prompts, resources };
}

async function allPages<Item>(
  list: (page: {
    cursor?: string;
  }) => Promise<{ readonly list: readonly Item[]; readonly nextCursor?: string | undefined }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    items.push(...page.list);
    cursor = page.list.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && items.length < MAX_LISTED);
  return items.slice(0, MAX_LISTED);
}

/** What happened and, of a child process, its last words. */
function failureOf(error: unknown, { errors }: OpenTransport, name: string): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  const text = stripControlLine(messageOf(error)).slice(0, 300);
  if (code === "ENOENT") return `${text}: the command is not installed, or not in the PATH`;
  if (code === 401 || code === 403 || /log-in has run out|Unauthorized/.test(text)) {
    return `${text}: /mcp login ${name} logs in with your browser; or give it a key in "headers", such as "Authorization": "Bearer \${NAME}"`;
  }
  const last = stripControlLine(errors().trim().split("\n").slice(-3).join(" ")).slice(-300);
  return last === "" ? text : `${text}; it said: ${last}`;
}
