// @module-tag long: large memories on PostgreSQL.
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabaseBackend } from "../../../src/database/index.ts";
import { createOperations, type MemoryEngine, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { describeOnPostgres, takePostgresDatabase } from "../../support/postgres/test-database.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

/** Exceeds all local processing time, so that statements sent together count as one round trip. */
const FAR_AWAY_MS = 120;
const ABOUT = ["person:Ada", "module:billing"];

let server: Disposable & { readonly url: string };
let network: TcpProxy;
let backend: ReturnType<typeof openDatabaseBackend>;
let memory: MemoryEngine;

/** Fills the memory and runs each call once, so that all statements are prepared. */
async function fillMemory(): Promise<void> {
  const ops = Array.from({ length: 20 }, (_, n) => ({
    op: "remember",
    content: `Replica ${n} of billing keeps orders`,
    episode_type: n % 3 === 0 ? "fact" : "observation",
    entities: [...ABOUT, `module:part${n % 5}`],
    session: `s${n % 4}`,
  }));
  await memory.execute("apply", { changeset: JSON.stringify(ops) });
  await memory.makeMissingVectors();
  await tripsOf(remember);
  await tripsOf(recall);
  await memory.execute("remember", { content: "Noted", labels: "kind=note" });
}

const remember = () => memory.execute("remember", { content: "Ada owns billing", entities: ABOUT });
const recall = () => memory.execute("recall", { query: "which orders does Ada keep in billing?" });

async function tripsOf(call: () => Promise<unknown>): Promise<number> {
  await memory.makeMissingVectors();
  const before = network.turns;
  await call();
  return network.turns - before;
}

describeOnPostgres("the number of round trips to PostgreSQL", () => {
  // One database for all tests. Latency is added after it is filled.
  beforeAll(async () => {
    server = takePostgresDatabase();
    network = await TcpProxy.start(Number(new URL(server.url).port));
    backend = openDatabaseBackend({
      folder: "",
      address: network.urlOf(server.url),
      isName: () => true,
    });
    memory = openMemory({
      name: "shop",
      database: backend.open("shop"),
      embedder: createWordEmbedder(),
      operations: createOperations(),
      logger: silentLogger,
    });
    await fillMemory();
    network.setDelay(FAR_AWAY_MS);
  });

  afterAll(async () => {
    await memory.close();
    await backend.close();
    await network[Symbol.asyncDispose]();
    server[Symbol.dispose]();
  });

  it("of a remembered episode", async () => {
    // Two round trips count and rank words of earlier episodes; one reads the related ones.
    expect(await tripsOf(remember)).toBeLessThanOrEqual(6);
    expect(
      await tripsOf(() => memory.execute("remember", { content: "A thought" })),
    ).toBeLessThanOrEqual(5);
  });

  it("of a fact that joins a cluster", async () => {
    const fact = { content: "Billing runs at noon", episode_type: "fact", entities: ABOUT };
    expect(await tripsOf(() => memory.execute("remember", fact))).toBeLessThanOrEqual(9);
  });

  it("of a recall", async () => {
    expect(await tripsOf(recall)).toBeLessThanOrEqual(7);
    const passages = { query: "which orders does Ada keep in billing?", passage_k: 4 };
    expect(await tripsOf(() => memory.execute("recall", passages))).toBeLessThanOrEqual(7);
    const unknown = { query: "nothing of this was ever said" };
    expect(await tripsOf(() => memory.execute("recall", unknown))).toBeLessThanOrEqual(7);
  });

  it("of a recall within filters or that looks back", async () => {
    for (const filter of [{ labels: "kind=note" }, { as_of: "2090-01-01" }]) {
      const within = { query: "which orders are kept?", ...filter };
      expect(await tripsOf(() => memory.execute("recall", within))).toBeLessThanOrEqual(9);
    }
  });

  it("of a recall by entity, with and without a question", async () => {
    const byEntity = { entity: "person:Ada" };
    const both = { ...byEntity, query: "which orders does she keep?" };
    expect(await tripsOf(() => memory.execute("recall", byEntity))).toBeLessThanOrEqual(6);
    expect(await tripsOf(() => memory.execute("recall", both))).toBeLessThanOrEqual(9);
  });

  it("of a snapshot does not grow with its scopes", async () => {
    const few = () => memory.execute("snapshot", { scopes: "bootstrap conflicts recent:5" });
    expect(await tripsOf(few)).toBeLessThanOrEqual(4);
    const scopes =
      "bootstrap conflicts recent:5 pending labels label:kind=note entity:person:Ada stats events query:orders";
    const many = () => memory.execute("snapshot", { scopes });
    await tripsOf(many);
    expect(await tripsOf(many)).toBeLessThanOrEqual(8);
  });

  it("of vectors hardly grows with their number", async () => {
    const changeset = (count: number) =>
      Array.from({ length: count }, (_, n) => `remember "Note ${n} of ${count}"`).join("\n");
    const making = async (count: number) => {
      await memory.execute("apply", { changeset: changeset(count) });
      const before = network.turns;
      await memory.makeMissingVectors();
      return network.turns - before;
    };
    expect(await making(30)).toBeLessThanOrEqual((await making(3)) + 3);
  });
});
