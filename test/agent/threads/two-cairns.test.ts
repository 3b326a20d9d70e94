import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createThreadHost } from "../../../src/agent/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const otherHost = async () => {
  const host = await createThreadHost(harness.options);
  return { host, [Symbol.asyncDispose]: () => host.close() };
};

it("do not delete each other's threads or overwrite their data", async () => {
  harness = await startHarness();
  await harness.say("one");
  await using other = await otherHost();
  await harness.say("two");
  await expect(other.host.delete("t")).rejects.toMatchObject({ code: "conflict" });
  expect(other.host.list().map(({ threadId }) => threadId)).toContain("t");
  const [folder = ""] = await readdir(join(harness.dataDir, "threads"));
  const state = join(harness.dataDir, "threads", folder, "t.json");
  const before = await readFile(state, "utf8");
  await other.host.create({ threadId: "t" });
  expect(await readFile(state, "utf8")).toBe(before);
  await harness.say("three");
  expect((await harness.host.history?.("t"))?.length).toBe(6);
});

it("continue a thread that the other closed", async () => {
  harness = await startHarness();
  await using other = await otherHost();
  await harness.say("one");
  const lastSeq = harness.events.at(-1)?.seq ?? 0;
  await harness.host.close();
  const seqs: number[] = [];
  other.host.subscribe(({ seq }) => seqs.push(seq));
  await other.host.send("t", "two");
  await waitUntil(() => other.host.list()[0]?.isBusy === false);
  expect(seqs[0]).toBe(lastSeq + 1);
  expect((await other.host.history?.("t"))?.length).toBe(4);
});

it("lose only the line that a full disk truncated", async () => {
  harness = await startHarness({
    answers: [{ toolCalls: [{ name: "glob", args: { pattern: "*" } }] }, { text: "done" }],
  });
  await harness.say("one");
  await harness.host.close();
  const [folder = ""] = await readdir(join(harness.dataDir, "threads"));
  const path = join(harness.dataDir, "threads", folder, "t.jsonl");
  const lines = (await readFile(path, "utf8")).split("\n");
  const result = lines.findIndex((line) => line.includes('"role":"tool"'));
  // A torn write: half of the result, with the next line appended to it.
  lines.splice(result, 2, `${lines[result]?.slice(0, 60)}${lines[result + 1]}`);
  await writeFile(path, lines.join("\n"));
  harness = await harness.restart();
  await harness.say("two");
  const sent = harness.model.requests.at(-1)?.body.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
  ]);
  expect(sent[4]?.content).toBe("done");
});
