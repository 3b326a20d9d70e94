import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createOperations, findStoredSecrets, openMemory } from "../../../src/memory/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { temporaryFolder } from "../../support/memory-server.ts";
import { itOnSqlite } from "../../support/on-sqlite.ts";
import { openBackend } from "../../support/test-backend.ts";
import { createTestMemory } from "../../support/test-memory.ts";

/** Concatenated so that secret scanners ignore this file. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

function openMemoryWith(secrets: "mask" | "refuse" | "allow", folder = temporaryFolder()) {
  const backend = openBackend(folder);
  onTestFinished(() => backend.close());
  return openMemory({
    name: "default",
    database: backend.open("default"),
    embedder: undefined,
    operations: createOperations(),
    logger: silentLogger,
    secrets,
  });
}

it("masks a token in any field before it is stored, and reports it", async () => {
  await using test = createTestMemory();
  const answer = await test.call("remember", {
    content: `Use ${TOKEN} for CI`,
    metadata: { env: { token: TOKEN } },
  });
  expect(answer).toMatchObject({
    masked: [
      { field: "content", kind: "github-token" },
      { field: "metadata.env.token", kind: "github-token" },
    ],
  });
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "Use [masked:github-token] for CI",
    metadata: { env: { token: "[masked:github-token]" } },
  });
});

it("masks tokens of cairn itself", async () => {
  await using test = createTestMemory();
  const token = ["cairn", "4bXcaT4fNP0UcnZwJUVFk6LO0pINUx-wWPw5k_aXcaT"].join("_");
  await test.call("remember", { content: `Ada's token is ${token}, keep cairn_memory short` });
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: "Ada's token is [masked:cairn-token], keep cairn_memory short",
  });
});

it("takes the end of one value of a JSON changeset and the next key for no secret", async () => {
  await using test = createTestMemory();
  const ops = ["    except KeyError:\n        pass", "return given == user.password"].map(
    (content, index) => ({ op: "remember", content, source_ref: `${index}` }),
  );
  const applied = await test.call("apply", { changeset: JSON.stringify(ops) });
  expect(applied).not.toHaveProperty("masked");
  expect(applied).toMatchObject({ success: true, results: [{}, {}] });
  const named = [{ op: "remember", content: "x", metadata: { password: "hunter2-Wx9!" } }];
  const masking = await test.call("apply", { changeset: JSON.stringify(named) });
  expect(masking).toMatchObject({ masked: [{ field: "changeset", kind: "password" }] });
});

it("masks secrets in both changeset forms", async () => {
  await using test = createTestMemory();
  const compact = await test.apply(`remember "Use ${TOKEN}"`);
  expect(compact).toMatchObject({ masked: [{ field: "changeset", kind: "github-token" }] });
  await test.call("apply", { changeset: JSON.stringify([{ op: "remember", content: TOKEN }]) });
  const { episodes } = await test.call("list_episodes");
  expect(episodes.map(({ content }: { content: string }) => content)).toEqual([
    "[masked:github-token]",
    "Use [masked:github-token]",
  ]);
});

it("rejects or allows them if configured", async () => {
  const strict = openMemoryWith("refuse");
  await expect(strict.execute("remember", { content: TOKEN })).rejects.toMatchObject({
    code: "invalid_input",
    details: { masked: [{ field: "content", kind: "github-token" }] },
  });
  await strict.close();
  const open = openMemoryWith("allow");
  await open.execute("remember", { content: TOKEN });
  expect(await open.execute("get_episode", { episode_id: "ep:1" })).toMatchObject({
    content: TOKEN,
  });
  expect(await (await open.database()).read((tx) => findStoredSecrets(tx))).toEqual([
    { id: "ep:1", field: "content", kind: "github-token" },
  ]);
  await open.close();
});

it("does not mask plain text, paths and ids", async () => {
  await using test = createTestMemory();
  const plain = "See src/memory/open-memory.ts:120 and c4h8s2n5q7w9x1k3m, 2026-03-31T10:30:00.000Z";
  const answer = await test.call("remember", { content: plain });
  expect(answer).not.toHaveProperty("masked");
  expect((await test.call("get_episode", { episode_id: "ep:1" })).content).toBe(plain);
});

it("removes a label with an old secret by its mask, in every command form", async () => {
  await using test = createTestMemory();
  const reopenedWith = (secrets: "mask" | "refuse" | "allow") =>
    openMemoryWith(secrets, test.folder);
  const old = reopenedWith("allow");
  await old.execute("remember", { content: "CI", labels: [{ key: "token", value: TOKEN }] });
  await old.execute("remember", { content: "CD", labels: [{ key: "token", value: TOKEN }] });
  const [masking, refusing] = [reopenedWith("mask"), reopenedWith("refuse")];
  const taken = await masking.execute("unlabel", { id: "ep:1", key: "token", value: TOKEN });
  expect(taken).toMatchObject({ labels: [] });
  await refusing.execute("undo", { change: "change:3" });
  await refusing.execute("unlabel", { id: "ep:1", key: "token", value: TOKEN });
  await masking.execute("apply", { changeset: `unlabel id=ep:2 key=token value=${TOKEN}` });
  const { labels } = await masking.execute("list_labels", {});
  expect(labels).toEqual([]);
  for (const memory of [old, masking, refusing]) await memory.close();
});

it("finds secrets in all stored text without repeating them", async () => {
  const open = openMemoryWith("allow");
  await open.execute("remember", { content: "A", entities: `tool:${TOKEN}` });
  await open.execute("label", { id: "ep:1", key: "token", value: TOKEN });
  await open.execute("remember", { content: "B holds.", episode_type: "fact", entities: "tool:b" });
  await open.execute("remember", { content: "C holds.", episode_type: "fact", entities: "tool:c" });
  await open.execute("open_conflict", { fact_a: "fact:1", fact_b: "fact:2", description: TOKEN });
  await open.execute("unlabel", { id: "ep:1", key: "token" });
  const found = await (await open.database()).read((tx) => findStoredSecrets(tx));
  const places = found.map(({ id, field }) => `${id} ${field}`);
  expect(places).toEqual(
    expect.arrayContaining([
      "tool:[masked:github-token] name",
      "conflict:1 description",
      "ep:1 labels",
      expect.stringMatching(/^ep:1 event:\d+$/),
    ]),
  );
  expect(JSON.stringify(found)).not.toContain(TOKEN);
  await open.close();
});

it("looks at names of metadata, at what names say of values, and at labels", async () => {
  await using test = createTestMemory();
  const answer = await test.call("remember", {
    content: "Staging",
    metadata: { [TOKEN]: 1, [`${TOKEN}x`]: 2, login: { user: "app", password: "kiesel77" } },
    labels: [{ key: "db_password", value: "kiesel77" }],
  });
  expect(answer).toMatchObject({
    masked: [
      { field: "labels.0.value", kind: "password" },
      { field: "metadata.[masked:github-token]", kind: "github-token" },
      { field: "metadata.[masked:github-token]", kind: "github-token" },
      { field: "metadata.login.password", kind: "password" },
    ],
  });
  expect(await test.call("get_episode", { episode_id: "ep:1" })).toMatchObject({
    metadata: {
      "[masked:github-token]": 1,
      "[masked:github-token] 2": 2,
      login: { user: "app", password: "[masked:password]" },
    },
    labels: [{ key: "db_password", value: "[masked:password]" }],
  });
});

itOnSqlite("tells idempotency keys with secrets apart without keeping them", async () => {
  await using test = createTestMemory();
  const keep = (content: string, key: string) =>
    test.call("remember", { content, idempotency_key: `deploy-${key}` });
  const other = TOKEN.replaceAll("w", "q");
  expect(await keep("A", TOKEN)).toMatchObject({ id: "ep:1" });
  expect(await keep("B", other)).toMatchObject({ id: "ep:2" });
  expect(await keep("A", TOKEN)).toMatchObject({ id: "ep:1" });
  const file = readFileSync(join(test.folder, "default.db")).toString("latin1");
  const log = readFileSync(join(test.folder, "default.db-wal")).toString("latin1");
  expect(file + log).not.toContain(TOKEN);
});

it("removes a label that is secret by its key alone", async () => {
  const path = temporaryFolder();
  const open = openMemoryWith("allow", path);
  await open.execute("remember", {
    content: "CI",
    labels: [{ key: "password", value: "kiesel77" }],
  });
  expect(await (await open.database()).read((tx) => findStoredSecrets(tx))).toContainEqual({
    id: "ep:1",
    field: "labels",
    kind: "password",
  });
  const masking = openMemoryWith("mask", path);
  const taken = await masking.execute("unlabel", {
    id: "ep:1",
    key: "password",
    value: "kiesel77",
  });
  expect(taken).toMatchObject({ labels: [] });
  for (const memory of [open, masking]) await memory.close();
});
