import { createHash } from "node:crypto";
import type { GetPromptResult, Tool as McpTool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { sleep } from "../../shared/async.ts";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { packageDescription } from "../../shared/package.ts";
import { stripControl } from "../../shared/text.ts";
import { fence } from "../documents/fence.ts";
import { createPicture, type Picture } from "../images/picture.ts";
import type {
  McpPrompt,
  McpResource,
  McpServerState,
  McpServerStatus,
  McpServersPort,
} from "../ports/mcp-servers.ts";
import type { Tool } from "../tools/define-tool.ts";
import { defineTool, type ToolResult } from "../tools/define-tool.ts";
import { McpServer } from "./mcp-server.ts";
import type { TransportContext } from "./open-transport.ts";
import type { McpServerSettings } from "./server-settings.ts";

const MAX_DESCRIPTION = 4_000;
const MAX_NAME = 64;
const MAX_SUMMARY = 400;

/** Read block by block, since servers send kinds and values that the protocol does not know. */
const toolAnswer = z.looseObject({});

/** Effects of a server's tool are unknown, so it asks for permission. */
function serverTool(server: McpServer, tool: McpTool): Tool {
  const name = toolName(server.name, tool.name);
  const version = hashTool(tool);
  return defineTool({
    name,
    description: stripControl(tool.description ?? tool.title ?? tool.name).slice(
      0,
      MAX_DESCRIPTION,
    ),
    input: z.looseObject({}),
    inputSchema: stripControlDeep(tool.inputSchema),
    checksInput: true,
    readOnly: false,
    uses: () => [{ kind: "unknown", version }],
    title: (input) => `${server.name}: ${tool.name} ${JSON.stringify(input)}`,
    async run({ signal }, input) {
      const result = await server.call(signal, ({ client }, limit) =>
        client.request(
          { method: "tools/call", params: { name: tool.name, arguments: input } },
          toolAnswer,
          {
            signal: limit,
            timeout: server.settings.timeoutMs,
            resetTimeoutOnProgress: true,
          },
        ),
      );
      return fenceResult(name, toResult(result));
    },
  });
}

function hashTool({ description, title, inputSchema, annotations }: McpTool): string {
  const message = JSON.stringify([description, title, inputSchema, annotations]);
  const hash = createHash("sha256").update(message).digest("hex").slice(0, 12);
  return `as its server describes it now (${hash})`;
}

function stripControlDeep<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value === "string") return stripControl(value);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [stripControl(key), inner]),
    );
  }) as T;
}

function fenceResult(name: string, result: ToolResult): ToolResult {
  const text = stripControl(result.text);
  const summary = text.trimStart().split("\n", 1)[0] ?? "";
  return {
    ...result,
    text: fence("tool_answer", text, { tool: name }),
    summary: summary.slice(0, MAX_SUMMARY),
    comparableText: text,
  };
}

/** `mcp__<server>__<tool>`; a name that is too long is cut and gets a hash. */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, "_");
  if (name.length <= MAX_NAME) return name;
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, MAX_NAME - 9)}_${hash}`;
}

type Block = Readonly<Record<string, unknown>>;

/** `toolResult`: the form of 2024-10-07. */
function toResult(answer: Block): ToolResult {
  const { content, toolResult, structuredContent } = answer;
  const blocks = [content ?? toolResult ?? []].flat().map(toBlock);
  const structured = isPlainObject(structuredContent) ? JSON.stringify(structuredContent) : "";
  const text = blocks.length > 0 ? blocks.map(formatBlock).join("\n") : structured;
  const pictures = blocks.flatMap(findPicture);
  return {
    text: text === "" ? "(no result)" : text,
    ...(answer.isError === true && { isError: true }),
    ...(pictures.length > 0 && { pictures }),
  };
}

function toBlock(block: unknown): Block {
  if (isPlainObject(block)) return block;
  return { type: "text", text: typeof block === "string" ? block : JSON.stringify(block) };
}

function findPicture({ type, data }: Block): Picture[] {
  if (type !== "image" || typeof data !== "string") return [];
  try {
    return [createPicture(Buffer.from(data, "base64"), "The image")];
  } catch {
    return [];
  }
}

/** One unknown or invalid block hides no other. */
function formatBlock(block: Block): string {
  const { type, text, resource, data, mimeType } = block;
  if (typeof text === "string") return text;
  if (isPlainObject(resource)) {
    return typeof resource.text === "string" ? resource.text : `[${resource.uri}: binary]`;
  }
  if (type === "resource_link") return `[resource ${block.name}: ${block.uri}]`;
  if (typeof data === "string") {
    return `[${type} ${mimeType}, ${Math.round((data.length * 3) / 4)} bytes]`;
  }
  return typeof type === "string" ? `[${type}: not supported]` : JSON.stringify(block);
}

const UNAVAILABLE_STATES: ReadonlySet<McpServerState> = new Set([
  "connecting",
  "waiting",
  "failed",
]);

/** Time after the start of the host during which a message waits for servers. */
const HEAD_START_MS = 5_000;
const FIRST_CONNECT_WAIT_MS = 1_000;

export interface McpServersOptions extends TransportContext {
  readonly settings: Readonly<Record<string, McpServerSettings>>;
  readonly firstWaitMs?: number;
}

export interface McpResourceText {
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The servers of a host. They connect in the background and never block it. */
export class McpServers implements McpServersPort {
  readonly #servers: readonly McpServer[];
  readonly #reported = new Set<string>();
  #headStart: Promise<unknown> = Promise.resolve();

  constructor({ settings, firstWaitMs = FIRST_CONNECT_WAIT_MS, ...shared }: McpServersOptions) {
    const entries = Object.entries(settings);
    const version = entries.length === 0 ? "" : packageDescription().version;
    this.#servers = entries.map(
      ([name, one]) => new McpServer({ ...shared, name, settings: one, version, firstWaitMs }),
    );
  }

  start(): void {
    if (this.#servers.length === 0) return;
    for (const server of this.#servers) server.start();
    const tried = Promise.all(this.#servers.map(({ firstTry }) => firstTry));
    const timer = new AbortController();
    this.#headStart = Promise.race([
      tried,
      sleep(HEAD_START_MS, timer.signal).catch(() => undefined),
    ]).finally(() => timer.abort());
  }

  /** Resolves once all servers have answered, or the head start is over. */
  async ready(signal: AbortSignal): Promise<void> {
    const left = new AbortController();
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true, signal: left.signal });
    });
    await Promise.race([this.#headStart, aborted]).finally(() => left.abort());
    signal.throwIfAborted();
  }

  list(): readonly McpServerStatus[] {
    return this.#servers.map(({ status }) => status);
  }

  /** Returns one sentence per server that is not ready, once per server. */
  takeProblems(): readonly string[] {
    const unavailable = this.list().filter(
      ({ name, state }) => UNAVAILABLE_STATES.has(state) && !this.#reported.has(name),
    );
    return unavailable.map(({ name, state, problem = state }) => {
      this.#reported.add(name);
      return `The MCP server "${name}" is not available: ${problem}.`;
    });
  }

  tools(): readonly Tool[] {
    const tools = this.#servers.flatMap((server) =>
      server.offer.tools
        .filter(({ name }) => server.settings.tools?.includes(name) ?? true)
        .map((tool) => serverTool(server, tool)),
    );
    return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
  }

  prompts(): readonly McpPrompt[] {
    return this.#servers.flatMap((server) =>
      server.offer.prompts.map(({ name, title, description, arguments: declared = [] }) => ({
        name: toolName(server.name, name),
        summary: description ?? title ?? `Prompt of ${server.name}`,
        ...(declared.length > 0 && {
          usage: declared
            .map((one) => (one.required === true ? `<${one.name}>` : `[${one.name}]`))
            .join(" "),
        }),
      })),
    );
  }

  /** Undefined if there is no prompt of this name. Throws invalid_input, unavailable. */
  async promptText(name: string, typed: string, signal: AbortSignal): Promise<string | undefined> {
    for (const server of this.#servers) {
      const prompt = server.offer.prompts.find(
        (one) => toolName(server.name, one.name).toLowerCase() === name.toLowerCase(),
      );
      if (prompt === undefined) continue;
      const input = promptArguments(typed, prompt.arguments ?? []);
      const timeout = server.settings.timeoutMs;
      const requested = { name: prompt.name, arguments: input };
      const got = await server.call(signal, ({ client }, limit) =>
        client.getPrompt(requested, { signal: limit, timeout }),
      );
      return formatPrompt(got);
    }
    return undefined;
  }

  resources(): readonly McpResource[] {
    return this.#servers.flatMap((server) =>
      server.offer.resources.map(({ uri, title, name }) => ({
        mention: `${server.name}:${uri}`,
        title: title ?? name,
      })),
    );
  }

  /** Undefined if no server has this name. Throws the server's error. */
  async readResource(mention: string, signal: AbortSignal): Promise<McpResourceText | undefined> {
    const server = this.#servers.find(({ name }) => mention.startsWith(`${name}:`));
    if (server === undefined) return undefined;
    const uri = mention.slice(server.name.length + 1);
    if (!/^[a-z][a-z0-9+.-]*:/i.test(uri)) return undefined;
    const timeout = server.settings.timeoutMs;
    const { contents } = await server.call(signal, ({ client }, limit) =>
      client.readResource({ uri }, { signal: limit, timeout }),
    );
    const texts = contents.map((content) =>
      "text" in content ? content.text : `[${content.mimeType ?? "binary"} data]`,
    );
    return { text: texts.join("\n"), attributes: { server: server.name, uri } };
  }

  async reconnect(name: string): Promise<void> {
    await this.#named(name).reconnect();
  }

  async logIn(name: string, show: (url: string) => void, signal: AbortSignal): Promise<void> {
    await this.#named(name).logIn(show, signal);
  }

  #named(name: string): McpServer {
    const server = this.#servers.find((one) => one.name === name);
    if (server !== undefined) return server;
    const known = this.#servers.map((one) => one.name);
    throw notFound(`There is no MCP server "${name}".${didYouMean(name, known)}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }
}

function formatPrompt({ messages }: GetPromptResult): string {
  return messages
    .map(({ content }) => {
      if (content.type === "text") return content.text;
      if (content.type === "resource" && "text" in content.resource) return content.resource.text;
      return `[${content.type}]`;
    })
    .join("\n\n");
}

interface PromptArgument {
  readonly name: string;
  readonly required?: boolean | undefined;
}

/**
 * Assigns typed words to a prompt's arguments: `name=value` by name, the others in order, and the
 * rest to the last one. Quotes keep words together. Throws invalid_input if an argument is missing.
 */
export function promptArguments(
  text: string,
  declared: readonly PromptArgument[],
): Record<string, string> {
  const input: Record<string, string> = {};
  const words = splitArguments(text);
  const loose: string[] = [];
  for (const word of words) {
    const at = word.indexOf("=");
    const name = at > 0 ? word.slice(0, at) : "";
    if (declared.some((argument) => argument.name === name)) input[name] = word.slice(at + 1);
    else loose.push(word);
  }
  const open = declared.filter(({ name }) => input[name] === undefined);
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1;
    const value = isLast ? loose.slice(index).join(" ") : loose[index];
    if (value !== undefined && value !== "") input[name] = value;
  }
  const missing = declared.find(({ name, required }) => required === true && !(name in input));
  if (missing !== undefined) {
    throw invalidInput(`The argument "${missing.name}" is missing: ${missing.name}=value.`);
  }
  return input;
}

function splitArguments(text: string): readonly string[] {
  const parts = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+|["'])+/g) ?? [];
  return parts.map((part) => part.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
