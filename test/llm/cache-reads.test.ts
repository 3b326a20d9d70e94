import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createThreadHost, waitUntilSettled } from "../../src/agent/index.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { llmSettings } from "../../src/llm/index.ts";
import {
  type SeenRequest,
  type StrictService,
  startStrictMessages,
} from "./support/providers/index.ts";

const STEPS = 30;
/** Number of blocks that the service looks back from a cache breakpoint. */
const LOOK_BACK = 20;

interface Block {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Returns the blocks of a request in cache order: tools, system, messages. */
function blocksOf({ body }: SeenRequest): readonly Block[] {
  // biome-ignore lint/suspicious/noExplicitAny: blocks of every kind
  const listed: any[] = [
    ...(body.tools ?? []),
    ...[body.system ?? []].flat(),
    // biome-ignore lint/suspicious/noExplicitAny: messages as they were sent
    ...body.messages.flatMap((message: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      [message.content].flat().map((block: any) => ({ role: message.role, ...asBlock(block) })),
    ),
  ];
  return listed.map(({ cache_control: mark, ...block }) => ({
    text: JSON.stringify(block),
    isMarked: mark !== undefined,
  }));
}

function asBlock(block: unknown): object {
  return typeof block === "string" ? { type: "text", text: block } : (block as object);
}

const sizeOf = (blocks: readonly Block[]) => blocks.reduce((sum, { text }) => sum + text.length, 0);
const keyOf = (blocks: readonly Block[]) => blocks.map(({ text }) => text).join("\n");

/** Counts the characters read from the cache, and the maximum possible. */
function countCached(requests: readonly SeenRequest[]) {
  const retained = new Set<string>();
  let [read, possible] = [0, 0];
  let before: readonly (readonly Block[])[] = [];
  for (const blocks of requests.map(blocksOf)) {
    possible += Math.max(0, ...before.map((other) => sizeOf(commonStart(blocks, other))));
    const ends = blocks.flatMap(({ isMarked }, index) => (isMarked ? [index + 1] : []));
    expect(ends.length).toBeLessThanOrEqual(4);
    const found = ends
      .flatMap((end) => Array.from({ length: LOOK_BACK }, (_unused, back) => end - back))
      .filter((end) => end > 0 && retained.has(keyOf(blocks.slice(0, end))));
    read += sizeOf(blocks.slice(0, Math.max(0, ...found)));
    for (const end of ends) retained.add(keyOf(blocks.slice(0, end)));
    before = [...before, blocks];
  }
  return { read, possible };
}

function commonStart(a: readonly Block[], b: readonly Block[]): readonly Block[] {
  const end = a.findIndex(({ text }, index) => text !== b[index]?.text);
  return end < 0 ? a : a.slice(0, end);
}

async function openHost(service: StrictService) {
  const projectRoot = mkdtempSync(join(tmpdir(), "cairn-cache-"));
  const host = await createThreadHost({
    projectRoot,
    userConfigDir: join(projectRoot, "no-config"),
    dataDir: join(projectRoot, "data"),
    settings: agentSettings.parse({ sandbox: false, memory: "off" }),
    llm: llmSettings.parse({
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      baseUrl: service.baseUrl,
      apiKey: "k",
      effort: "low",
    }),
    memory: undefined,
    surface: "server",
    environment: process.env,
  });
  onTestFinished(async () => {
    await host.close();
    rmSync(projectRoot, { recursive: true, force: true });
  });
  return host;
}

it("reads from the cache within a session of thirty steps and in a new one", {
  tags: ["long"],
}, async () => {
  await using service = await startStrictMessages({ thinking: "budget", steps: STEPS - 1 });
  const host = await openHost(service);
  for (const threadId of ["one", "two"]) {
    await host.create({ threadId });
    await host.send(threadId, `Read all of them, ${threadId}.`);
    await waitUntilSettled(host, threadId);
  }
  expect(service.refusals).toEqual([]);
  expect(service.seen).toHaveLength(STEPS + 1);
  const within = countCached(service.seen.slice(0, STEPS));
  expect(within.read / within.possible).toBeGreaterThanOrEqual(0.9);
  // A new session has the same tools and system prompt.
  const all = countCached(service.seen);
  const ofNew = (all.read - within.read) / (all.possible - within.possible);
  expect(ofNew).toBeGreaterThanOrEqual(0.9);
});

const READS = 8;

function delegating(turn: number) {
  const round = READS + 2;
  if (turn >= 2 * round) return [];
  const at = turn % round;
  if (at === 0) {
    const input = { id: "general", prompt: `Look at part ${turn}.` };
    return [{ name: "subagent", input }];
  }
  return at <= READS ? [{ name: "read", input: { path: `f${turn}` } }] : [];
}

it("shares cached input between subagents", async () => {
  await using service = await startStrictMessages({ thinking: "budget", calls: delegating });
  const host = await openHost(service);
  await host.create({ threadId: "t" });
  await host.send("t", "Have both parts looked at.");
  await waitUntilSettled(host, "t");
  expect(service.refusals).toEqual([]);
  expect(service.seen).toHaveLength(2 * (READS + 2) + 1);
  const isOfThread = (index: number) => index % (READS + 2) === 0;
  const ofSubagents = service.seen.filter((_one, index) => !isOfThread(index));
  const { read, possible } = countCached(ofSubagents);
  expect(read / possible).toBeGreaterThanOrEqual(0.9);
  const ofSecond = countCached(ofSubagents.slice(0, READS + 2));
  const ofFirst = countCached(ofSubagents.slice(0, READS + 1));
  const begins = (ofSecond.read - ofFirst.read) / (ofSecond.possible - ofFirst.possible);
  expect(begins).toBeGreaterThanOrEqual(0.9);
  const all = countCached(service.seen);
  expect(all.read / all.possible).toBeGreaterThanOrEqual(0.9);
});
