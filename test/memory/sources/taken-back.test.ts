import { expect, it } from "vitest";
import { openMemory } from "../../../src/index.ts";

const SUBJECT = "Cap the retries of payments at seven";
const commits = [
  { key: "a1", text: `${SUBJECT}\n\nThe gateway blocks a client after eight attempts.` },
  { key: "b2", text: `Revert "${SUBJECT}"\n\nThis reverts commit a1.`, reverts: "a1" },
  {
    key: "c3",
    text: `Reapply "${SUBJECT}"\n\nThis reverts commit b2. The gateway was not at fault.`,
    reverts: "b2",
  },
] as const;

async function recalled(count: number) {
  await using memory = openMemory({ path: ":memory:", embedding: { provider: "none" } });
  await memory.read_source({
    ...{ kind: "git", key: "shop" },
    passages: commits.slice(0, count).map((commit, index) => ({
      ...{ ...commit, role: "commit", by: "Ada", occurred_at: `2026-03-0${index + 1}` },
    })),
  });
  const { passages = [] } = await memory.recall({
    ...{ query: "retries of payments gateway attempts", k: 0, episode_k: 0, passage_k: 6 },
    timeout_ms: 60_000,
  });
  return new Map(passages.map((passage) => [passage.id, passage]));
}

it("marks a reverted commit as replaced and names the revert", async () => {
  const found = await recalled(2);
  expect(found.get("passage:1")).toMatchObject({ standing: "replaced", replaced_by: "passage:2" });
  expect(found.get("passage:2")).toMatchObject({ reverts: "passage:1" });
  expect(found.get("passage:2")?.standing).toBeUndefined();
});

it("does not mark other commits, and unmarks a reapplied one", async () => {
  expect((await recalled(1)).get("passage:1")?.standing).toBeUndefined();
  const found = await recalled(3);
  expect(found.get("passage:2")).toMatchObject({ standing: "replaced", replaced_by: "passage:3" });
  expect(found.get("passage:3")?.standing).toBeUndefined();
});
