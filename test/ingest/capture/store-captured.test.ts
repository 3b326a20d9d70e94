import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readCandidates } from "../../../src/ingest/capture/index.ts";
import { type CapturedWork, storeCaptured } from "../../../src/ingest/capture/store-captured.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const said = (content: string): CapturedWork["candidates"][number] => ({
  kind: "preference",
  episodeType: "preference",
  content,
  entities: [],
  assertedBy: "user",
});

it("forgotten items are not stored again when the transcript is reread", async () => {
  await using test = createTestMemory();
  const { memory, folder } = test;
  const work: CapturedWork = {
    ...{ client: "claude-code", session: "s1", db: "default" },
    sessionFile: join(folder, "hook-sessions", "s1.json"),
    candidates: [said("Always use pnpm, never npm.")],
  };
  const keep = (id: string, payload: CapturedWork) =>
    storeCaptured({ id, kind: "captured", payload }, () => memory);
  const held = async () => {
    const { episodes } = await memory.execute("list_episodes", {});
    return episodes.map(({ content }) => content);
  };
  await keep("1", work);
  expect(await held()).toEqual(["Always use pnpm, never npm."]);
  await memory.execute("delete", { id: "ep:1" });
  const news = said("Always run the linter before a commit.");
  await keep("2", { ...work, candidates: [...work.candidates, news] });
  expect(await held()).toEqual([news.content]);
});

it.each([
  ["2025-05-04T10:00:00.000Z", "2025-05-04T10:00:00.000Z"],
  ["9999-01-01T00:00:00.000Z", "now"],
])("dates what was said at %s: %s", async (timestamp, expected) => {
  await using test = createTestMemory();
  const { memory, folder } = test;
  const transcriptPath = join(folder, "session.jsonl");
  const content = "Always use pnpm, never npm.";
  const record = { type: "user", timestamp, message: { role: "user", content } };
  writeFileSync(transcriptPath, `${JSON.stringify(record)}\n`);
  const { candidates } = await readCandidates({ cwd: folder, transcriptPath }, undefined);
  const payload: CapturedWork = {
    ...{ client: "claude-code", session: "s1", db: "default" },
    sessionFile: join(folder, "hook-sessions", "s1.json"),
    candidates: [...candidates],
  };
  await storeCaptured({ id: "1", kind: "captured", payload }, () => memory);
  const { episodes } = await memory.execute("list_episodes", {});
  expect(episodes).toMatchObject([{ content }]);
  const [{ occurred_at: at, created_at: now } = {}] = episodes;
  expect(at).toBe(expected === "now" ? now : expected);
});
