import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { z } from "zod";
import { renderChangeset } from "../../scripts/reference/changeset.ts";
import { renderOperations } from "../../scripts/reference/operations.ts";
import { renderSlashCommands } from "../../scripts/reference/slash-commands.ts";
import { offeredCommands, type SlashCommand } from "../../src/agent/index.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import {
  createOperations,
  defineOperation,
  defineScope,
  getSnapshot,
  SNAPSHOT_SCOPES,
} from "../../src/memory/index.ts";
import { createExposedTools, listResourceTemplates } from "../../src/server/mcp/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { startConversation } from "../agent/support/conversation.ts";
import { createTestProject } from "../agent/support/project.ts";
import { serveMemory } from "../support/memory-server.ts";

const greet = defineOperation({
  name: "greet_reader",
  summary: "Greet whoever reads",
  kind: "read",
  input: z.strictObject({ who: z.string().min(1), times: z.number().int().min(1).default(1) }),
  output: z.object({ greeting: z.string() }),
  cli: { positionals: ["who"], example: "cairn greet-reader Ada" },
  async run(_context, { who, times }) {
    return { greeting: `Hello, ${who}!`.repeat(times) };
  },
});

it("exposes an added operation on every surface", async () => {
  const server = await serveMemory({ furtherOperations: [greet] });
  const api = `${server.url}/api/v1`;
  const headers = { "content-type": "application/json" };

  const response = await fetch(`${api}/greet-reader`, {
    method: "POST",
    headers,
    body: '{"who":"Ada"}',
  });
  expect(await response.json()).toEqual({ greeting: "Hello, Ada!" });

  const document = await anything(await fetch(`${api}/openapi.json`));
  expect(document.paths?.["/greet-reader"]?.post).toMatchObject({ operationId: "greet_reader" });
  expect(document.components?.schemas?.GreetReaderInput?.required).toEqual(["who"]);

  const called = await fetch(`${server.url}/mcp?structured=1`, {
    method: "POST",
    headers: { ...headers, accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "greet_reader", arguments: { who: "Ada", times: 2 } },
    }),
  });
  expect((await anything(called)).result?.structuredContent?.greeting).toBe(
    "Hello, Ada!Hello, Ada!",
  );
  await server.end();
});

interface Anything {
  readonly [key: string]: Anything;
}

async function anything(response: Response): Promise<Anything> {
  return (await response.json()) as Anything;
}

it("and as a tool, a command and an entry of the reference page", async () => {
  const operations = createOperations([greet]);
  const tool = createExposedTools(operations, {
    interface: "a",
    tools: "all",
    structured: false,
  }).get("greet_reader");
  expect(tool?.description.annotations).toMatchObject({ readOnlyHint: true });

  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommandLine(["help", "--all"], {
    env: { HOME: "/nonexistent" },
    cwd: process.cwd(),
    stdin: Readable.from([]),
    stdout,
    stderr,
    logger: silentLogger,
    furtherOperations: [greet],
  });
  stdout.end();
  let help = "";
  for await (const chunk of stdout) help += chunk;
  expect([code, help]).toEqual([0, expect.stringContaining("greet-reader")]);

  const page = renderOperations(operations);
  expect(page).toContain("greet_reader");
  expect(page).toContain("POST /greet-reader");
});

const weather = defineScope({
  name: "weather",
  summary: "What the sky does",
  argument: { name: "place", form: "<place>" },
  filtering: { nothing: "the sky is one" },
  read: async (_context, place) => ({ place, sky: "blue" }),
});

it("a scope that is added to the list is read, described and a resource", async () => {
  const operations = createOperations([getSnapshot([...SNAPSHOT_SCOPES, weather])]);
  const tool = createExposedTools(operations, {
    interface: "a",
    tools: "core",
    structured: false,
  }).get("snapshot");
  expect(tool?.description.description).toContain("weather:<place>");
  expect(listResourceTemplates(operations)).toContainEqual(
    expect.objectContaining({ uriTemplate: "memory://weather/{place}" }),
  );
  expect(renderOperations(operations)).toContain("weather:<place>");

  const server = await serveMemory({
    furtherOperations: [getSnapshot([...SNAPSHOT_SCOPES, weather])],
  });
  const response = await fetch(`${server.url}/api/v1/snapshot`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scopes: "stats weather:here" }),
  });
  expect(await response.json()).toMatchObject({ "weather:here": { place: "here", sky: "blue" } });
  await server.end();
});

const mark = defineOperation({
  name: "mark",
  summary: "Mark an item",
  kind: "write",
  input: z.strictObject({ id: z.string(), weight: z.number(), note: z.string().optional() }),
  output: z.object({ id: z.string(), weight: z.number() }),
  changeset: { op: "mark", text: "note", nameless: true, aliases: { w: "weight" } },
  async run(context, { id, weight }) {
    await context.emit({ kind: "updated", subjectType: "episode", subjectId: id });
    return { id, weight };
  },
});

it("a changeset op that is added is named to models and reads by its schema", async () => {
  const operations = createOperations([mark]);
  const tool = createExposedTools(operations, {
    interface: "a",
    tools: "core",
    structured: false,
  }).get("apply");
  expect(tool?.description.description).toMatch(/Ops: .*\bmark\b/);
  expect(renderOperations(operations)).toMatch(/Ops: .*\bmark\b/);
  expect(renderChangeset(operations)).toContain("| `weight`, `w` * | number |");

  const server = await serveMemory({ furtherOperations: [mark] });
  const response = await fetch(`${server.url}/api/v1/apply`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ changeset: 'mark id=ep:1 w=0.5 "why"' }),
  });
  expect(await response.json()).toMatchObject({
    success: true,
    results: [{ op: "mark", id: "ep:1", weight: 0.5 }],
  });
  await server.end();
});

const shout: SlashCommand = {
  name: "shout",
  argument: { name: "text", required: "Say what to shout" },
  summary: "Say it louder",
  immediate: true,
  run: async ({ dialogue }, args) => dialogue.print(args.toUpperCase()),
};

it("a slash command that is added runs, is helped with, completed, corrected and described", async () => {
  const project = await createTestProject();
  const { host, threadId, next } = await startConversation({ project, furtherCommands: [shout] });
  const said = async (text: string) => {
    await host.send(threadId, text);
    const event = await next(({ type }) => type === "error" || type === "status");
    return "message" in event ? event.message : undefined;
  };
  expect(await said("/shout so it is")).toBe("SO IT IS");
  expect(await said("/shout")).toBe("Say what to shout: /shout <text>");
  expect(await said("/help")).toMatch(/^\/shout <text> +Say it louder$/m);
  expect(await said("/shuot x")).toContain('Did you mean "/shout"?');

  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const dialogue = { info: print, success: print, print, error: print };
  const asker = { dialogue, threadId: undefined, sessions: {} };
  expect(await host.runImmediate("/shout now", asker)).toBe(true);
  expect(printed).toEqual(["NOW"]);

  const offered = await offeredCommands(project, [shout]);
  expect(offered).toContainEqual({ name: "shout", usage: "<text>", summary: "Say it louder" });
  expect(renderSlashCommands([shout])).toContain("| `/shout <text>` | Say it louder |");
});
