import { rmSync } from "node:fs";
import { expect, it } from "vitest";
import { memoryStore, temporaryFolder } from "../support/memory-server.ts";
import { patiently } from "../support/patiently.ts";
import { cliSurface } from "./cli-surface.ts";
import { inProcessSurface } from "./in-process-surface.ts";
import { mcpHttpSurface, mcpStdioSurface } from "./mcp-surface.ts";
import { restSurface } from "./rest-surface.ts";
import { runScenario } from "./run-scenario.ts";
import type { Step } from "./scenario.ts";
import type { Ground, Surface } from "./surface.ts";

const layers = ["team"];
const copy = { id: "team/ep:1" };

/** What each surface is asked, and what becomes of the copy in the farther layer. */
const STEPS: readonly Step[] = [
  { operation: "remember", input: { content: "Deploys are on Fridays", episode_type: "fact" } },
  { operation: "promote", input: { id: "ep:1", to: "team" }, output: { promoted_id: copy.id } },
  {
    operation: "undo",
    input: { change: "change:2", dry_run: true },
    output: { id: null, copies: [{ ...copy, outcome: "taken_back" }] },
  },
  {
    operation: "undo",
    input: { change: "change:2" },
    output: { id: "change:3", copies: [{ ...copy, outcome: "taken_back" }] },
  },
  {
    operation: "redo",
    input: { change: "change:3" },
    output: { id: "change:4", copies: [{ ...copy, outcome: "brought_back" }] },
  },
  {
    operation: "undo",
    input: { since: "change:0" },
    output: {
      undo_of: ["change:2", "change:1"],
      copies: [{ ...copy, outcome: "taken_back" }],
    },
  },
];

async function played(open: (ground: Ground) => Surface | Promise<Surface>) {
  const dataDir = temporaryFolder();
  const store = memoryStore(dataDir, [], { layers });
  const ground: Ground = { dataDir, store, layers };
  const surface = await open(ground);
  try {
    const { outcomes } = await runScenario(surface, ground, STEPS);
    const { changes } = await store.open("team").execute("changes", {});
    const { episodes } = await store.open("team").execute("list_episodes", {});
    return { outcomes, done: changes.map(({ operation }) => operation), left: episodes.length };
  } finally {
    await surface.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

it.each([
  ["in process", inProcessSurface],
  ["over REST", restSurface],
  ["over MCP by lines", mcpStdioSurface],
  ["over MCP by HTTP", mcpHttpSurface],
  ["at the shell", cliSurface],
] as const)(
  "undo takes a promoted copy back, and redo brings it again, %s",
  { timeout: patiently(60_000) },
  async (_name, open) => {
    const { outcomes, done, left } = await played(open);
    for (const [index, { output, operation }] of STEPS.entries()) {
      expect(outcomes[index], operation).toMatchObject({ output: output ?? {} });
    }
    expect(done).toEqual(["undo", "redo", "undo", "remember"]);
    expect(left).toBe(0);
  },
);
