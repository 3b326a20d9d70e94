import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { programPath } from "../../shared/programs.ts";
import type { ServerCommand } from "../index.ts";

export interface CheckedServer {
  readonly server: string;
  readonly tools: number;
  readonly database: string | undefined;
  readonly episodes: number;
  readonly concepts: number;
  readonly milliseconds: number;
}

export interface CheckOptions {
  readonly cwd: string;
  readonly version: string;
  readonly timeoutMs: number;
}

/**
 * Starts the server like a client: over stdio, with the few variables that clients pass on. Throws
 * unavailable with the server's last output.
 */
export async function checkServer(
  command: ServerCommand,
  { cwd, version, timeoutMs }: CheckOptions,
): Promise<CheckedServer> {
  const startedAt = performance.now();
  const transport = new StdioClientTransport({
    command: programPath(command.command, command.env?.PATH),
    args: [...command.args],
    env: { ...command.env },
    cwd,
    stderr: "pipe",
  });
  const output: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => output.push(chunk.toString("utf8")));
  const client = new McpClient({ name: "cairn-connect", version });
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
    const { contents } = await client.readResource(
      { uri: "memory://stats" },
      { timeout: timeoutMs },
    );
    const stats = parseStats(contents);
    const server = client.getServerVersion();
    return {
      server: `${server?.name ?? "unnamed"} ${server?.version ?? ""}`.trim(),
      tools: tools.length,
      ...stats,
      milliseconds: Math.round(performance.now() - startedAt),
    };
  } catch (error) {
    const last = output.join("").trim().split("\n").slice(-5).join("\n");
    const reason = last === "" ? messageOf(error) : last;
    throw new CairnError("unavailable", `The server did not respond: ${reason}`);
  } finally {
    await client.close();
  }
}

function parseStats(contents: readonly unknown[]) {
  const [first] = contents;
  const text = isPlainObject(first) && typeof first.text === "string" ? first.text : "{}";
  const meta = isPlainObject(first) && isPlainObject(first._meta) ? first._meta : {};
  const stats: unknown = JSON.parse(text);
  const database = meta["cairn/database"];
  return {
    database: typeof database === "string" ? database : undefined,
    episodes: readTotal(stats, "episodes"),
    concepts: readTotal(stats, "concepts"),
  };
}

function readTotal(stats: unknown, noun: string): number {
  const part = isPlainObject(stats) ? stats[noun] : undefined;
  return isPlainObject(part) && typeof part.total === "number" ? part.total : 0;
}
