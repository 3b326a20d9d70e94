import { rmSync } from "node:fs";
import fc from "fast-check";
import { expect } from "vitest";
import { OWNER } from "../../src/shared/caller.ts";
import { openMemoryStore, temporaryFolder } from "../support/memory-server.ts";
import { cliSurface } from "./cli-surface.ts";
import { inProcessSurface } from "./in-process-surface.ts";
import { mcpHttpSurface, mcpStdioSurface } from "./mcp-surface.ts";
import { Normalizer } from "./normalize.ts";
import { restSurface } from "./rest-surface.ts";
import type { Input, Outcome, Surface, SurfaceSetup } from "./surface.ts";

interface RandomCall {
  readonly operation: string;
  readonly input: Input;
  readonly through: number;
}

const episode = fc.integer({ min: 1, max: 6 }).map((n) => `ep:${n}`);
const fact = fc.integer({ min: 1, max: 4 }).map((n) => `fact:${n}`);
const conflict = fc.integer({ min: 1, max: 2 }).map((n) => `conflict:${n}`);
const entity = fc.constantFrom("tool:cache", "person:Ada", "file:src/a.ts", "person:ADA");
const content = fc.constantFrom(
  "Tea at four",
  "TTL is 600",
  "TTL is 900",
  "$x = '1'",
  '日本語 "q"\nb',
);
const label = fc.constantFrom("area=build", "area=ui", "owner=Ada L");

const call = (operation: string, input: fc.Arbitrary<Input>) =>
  fc.record({ operation: fc.constant(operation), input, through: fc.nat(4) });

const remember = call(
  "remember",
  fc.record(
    {
      content,
      episode_type: fc.constantFrom("fact", "fact", "decision", "nonsense"),
      entities: entity,
      labels: label,
      session: fc.constant("s"),
      idempotency_key: fc.constantFrom("k1", "k2"),
    },
    { requiredKeys: ["content", "session"] },
  ),
);

const changeset = fc
  .array(
    fc.oneof(
      content.map((text) => `remember session=s ${JSON.stringify(text)}`),
      fc.tuple(fact, fact).map(([a, b]) => `conflict fact_a=${a} fact_b=${b}`),
      fc.tuple(episode, label).map(([id, text]) => {
        const [key, value] = text.split("=");
        return `label id=${id} key=${key} value=${JSON.stringify(value)}`;
      }),
      episode.map((id) => `delete ${id}`),
    ),
    { maxLength: 3 },
  )
  .map((lines) => lines.join("\n"));

const calls: fc.Arbitrary<RandomCall[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: remember },
    call("label", fc.record({ id: episode, key: fc.constant("k"), value: fc.constant("v w") })),
    call("delete_episode", fc.record({ episode_id: episode })),
    call("restore_episode", fc.record({ episode_id: episode })),
    call("processed", fc.record({ ids: fc.array(episode, { minLength: 1, maxLength: 2 }) })),
    call("supersede", fc.record({ old: fact, new: fact })),
    call("open_conflict", fc.record({ fact_a: fact, fact_b: fact })),
    call("resolve_conflict", fc.record({ conflict_id: conflict, winning_fact_id: fact })),
    call("dismiss_conflict", fc.record({ conflict_id: conflict, note: fc.constant("both") })),
    call("create_concept", fc.record({ title: fc.constant("Title"), from: episode })),
    call("update_episode", fc.record({ episode_id: episode, content })),
    call("apply", fc.record({ changeset, dry_run: fc.boolean() })),
    call("entity_relation", fc.record({ source: entity, target: entity, relation: content })),
  ),
  { minLength: 4, maxLength: 14 },
);

const READS: readonly [string, Input][] = [
  ["list_episodes", { limit: 500 }],
  ["list_deleted", {}],
  ["list_concepts", { limit: 500 }],
  ["list_conflicts", { status: "all" }],
  ["list_entities", {}],
  ["entity_graph", {}],
  ["graph", {}],
  ["events", {}],
  ["stats", {}],
];

/**
 * Random calls through random surfaces must return the same results as in process and leave the
 * same state.
 */
export async function expectSameState(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      await withGround(async (mixed) => {
        await withGround(async (plain) => {
          const surfaces = await openSurfaces(mixed);
          try {
            await compare(sequence, { surfaces, mixed, plain });
          } finally {
            for (const surface of surfaces) await surface.close();
          }
        });
      });
    }),
    { numRuns },
  );
}

async function openSurfaces(ground: SurfaceSetup): Promise<Surface[]> {
  return [
    inProcessSurface(ground),
    await restSurface(ground),
    await mcpStdioSurface(ground),
    await mcpHttpSurface(ground),
    cliSurface(ground),
  ];
}

async function withGround(body: (ground: SurfaceSetup) => Promise<void>): Promise<void> {
  const dataDir = temporaryFolder();
  const store = openMemoryStore(dataDir);
  try {
    await body({ dataDir, store });
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Grounds {
  readonly surfaces: readonly Surface[];
  readonly mixed: SurfaceSetup;
  readonly plain: SurfaceSetup;
}

async function compare(sequence: readonly RandomCall[], grounds: Grounds): Promise<void> {
  const { surfaces, mixed, plain } = grounds;
  const normalizers = [new Normalizer(), new Normalizer()] as const;
  for (const { operation: name, input, through } of sequence) {
    const operation = plain.store.operations.get(name);
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    const surface = surfaces[through] ?? inProcessSurface(mixed);
    const own =
      (await surface.call(operation, input)) ??
      (await inProcessSurface(mixed).call(operation, input));
    const expected = await inProcessSurface(plain).call(operation, input);
    expect(normalizers[0].normalize(plainOutcome(own)), `${surface.name}: ${name}`).toEqual(
      normalizers[1].normalize(plainOutcome(expected)),
    );
  }
  const [left, right] = [await stateOf(mixed), await stateOf(plain)];
  expect(normalizers[0].normalize(left)).toEqual(normalizers[1].normalize(right));
}

function plainOutcome(outcome: Outcome | undefined): unknown {
  if (outcome === undefined || "output" in outcome) return outcome;
  return outcome.error.code;
}

async function stateOf({ store }: SurfaceSetup): Promise<unknown[]> {
  const state: unknown[] = [];
  for (const [name, input] of READS)
    state.push(await store.open().executeNamed(name, input, { caller: OWNER }));
  return state;
}
