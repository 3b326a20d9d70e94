import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { builtPackage } from "../support/built-package.ts";
import { openMemoryStore, temporaryFolder } from "../support/memory-server.ts";
import { cliSurface } from "./cli-surface.ts";
import { createPast, PAST_WORD } from "./create-past.ts";
import { daemonSurface } from "./daemon-surface.ts";
import { inProcessSurface } from "./in-process-surface.ts";
import { mcpHttpSurface, mcpStdioSurface } from "./mcp-surface.ts";
import { removePast } from "./remove-past.ts";
import { restSurface } from "./rest-surface.ts";
import { type Run, runScenario } from "./run-scenario.ts";
import { scenario } from "./scenario.ts";
import type { Outcome, Surface, SurfaceSetup } from "./surface.ts";

/** `built` is the folder of the installed program. */
type Open = (ground: SurfaceSetup, built: string) => Surface | Promise<Surface>;

interface Row {
  readonly name: string;
  readonly open: Open;
}

async function runOn(open: Open, { hasPast = false, built = "" } = {}): Promise<Run> {
  const dataDir = temporaryFolder();
  const store = openMemoryStore(dataDir);
  const ground: SurfaceSetup = {
    dataDir,
    store,
    ...(hasPast && { given: await createPast(store) }),
  };
  const surface = await open(ground, built);
  try {
    return await runScenario(surface, ground, scenario);
  } finally {
    await surface.close();
    await ground.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe("the contract", () => {
  let expected: readonly Outcome[];
  let built: string;
  beforeAll(async () => {
    built = await builtPackage("contract");
    expected = (await runOn(inProcessSurface)).outcomes;
  });

  it("holds in process", () => {
    for (const [index, step] of scenario.entries()) {
      const outcome = expected[index];
      const output = `step ${index + 1}: ${step.operation} ${JSON.stringify(step.input)}`;
      if (step.error !== undefined) {
        expect(outcome, output).toMatchObject({ error: { code: step.error } });
      } else {
        expect(outcome, output).toMatchObject({ output: step.output ?? {} });
      }
    }
  });

  const isTheSame = async ({ name, open, least }: Row & { readonly least: number }) => {
    const { outcomes, answered } = await runOn(open, { built });
    for (const [index, step] of scenario.entries()) {
      const output = `step ${index + 1}: ${step.operation} ${JSON.stringify(step.input)}`;
      const omit = name.startsWith("CLI") ? omittedOf(step.operation) : [];
      expect(outcomes[index], output).toEqual(without(omit, expected[index]));
    }
    expect(answered).toBeGreaterThanOrEqual(least);
  };
  it.each([
    { name: "REST", open: restSurface, least: 80 },
    { name: "MCP HTTP", open: mcpHttpSurface, least: 60 },
    { name: "CLI", open: cliSurface, least: 80 },
  ])("is the same over $name", { timeout: 180_000 }, isTheSame);
  it.each([
    { name: "MCP stdio", open: mcpStdioSurface, least: 60 },
    { name: "CLI through the process that stays", open: daemonSurface, least: 80 },
  ])("is the same over $name", { timeout: 180_000, tags: ["long"] }, isTheSame);

  it.each([
    { name: "in process", open: inProcessSurface },
    { name: "REST", open: restSurface },
    { name: "MCP stdio", open: mcpStdioSurface },
    { name: "MCP HTTP", open: mcpHttpSurface },
    { name: "CLI", open: cliSurface },
    { name: "CLI through the process that stays", open: daemonSurface },
  ])(
    "equals that of a new memory after purges, undos and deletions: $name",
    { timeout: 180_000, tags: ["long"] },
    async ({ name, open }) => {
      const { outcomes } = await runOn(open, { hasPast: true, built });
      for (const [index, { operation, input }] of scenario.entries()) {
        const output = `step ${index + 1}: ${operation} ${JSON.stringify(input)}`;
        const omit = name.startsWith("CLI") ? omittedOf(operation) : [];
        const wanted = without(omit, expected[index]);
        expect(outcomes[index], output).toEqual(wanted && removePast(operation, wanted));
        expect(JSON.stringify(outcomes[index]), output).not.toContain(PAST_WORD);
      }
    },
  );
});

function omittedOf(operation: string): readonly string[] {
  return createOperations().get(operation)?.cli?.omit ?? [];
}

function without(omit: readonly string[], outcome: Outcome | undefined): Outcome | undefined {
  if (outcome === undefined || !("output" in outcome) || omit.length === 0) return outcome;
  const entries = Object.entries(outcome.output as object).filter(([key]) => !omit.includes(key));
  return { output: Object.fromEntries(entries) };
}
