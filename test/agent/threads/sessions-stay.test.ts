import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { listSessions } from "../../../src/agent/index.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const others = () => harness.host.list().filter(({ threadId }) => threadId !== "t");
const saidIn = async (threadId: string) =>
  (await harness.host.history?.(threadId))?.map(({ text }) => text);
const count = (phase: string) =>
  harness.events.filter((event) => event.type === "status" && event.phase === phase).length;

async function command(text: string): Promise<void> {
  const before = count("success");
  await harness.host.send("t", text);
  await harness.waitForPhase("success", before + 1);
}

it("/clear starts an empty conversation and keeps the earlier one, also after a restart", async () => {
  harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }] });
  await harness.say("first question");
  await command("/clear");
  const [kept] = others();
  expect(kept).toMatchObject({ title: "first question", messageCount: 2 });
  expect(harness.host.find("t")).toMatchObject({ messageCount: 0, parent: kept?.threadId });
  await harness.say("second question");
  expect(harness.model.requests[1]?.body.messages).toHaveLength(2);
  harness = await harness.restart();
  expect(harness.host.find("t")).toMatchObject({ title: "second question", messageCount: 2 });
  expect(await saidIn(kept?.threadId ?? "")).toEqual(["first question", "one"]);
});

it("keeps the messages before a hand-over's summary", async () => {
  harness = await startHarness({ answers: [{ text: "one" }, { text: "SUMMARY" }] });
  await harness.say("first question");
  await command("/handover");
  const [kept] = others();
  expect(await saidIn(kept?.threadId ?? "")).toEqual(["first question", "one"]);
  expect(harness.host.find("t").parent).toBe(kept?.threadId);
});

it("an empty conversation leaves nothing behind", async () => {
  harness = await startHarness();
  await command("/clear");
  expect(others()).toEqual([]);
});

it("forks independently, and keeps the name of a renamed session", async () => {
  harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }, { text: "three" }] });
  await harness.say("first question");
  const forked = await harness.host.fork("t", "the other way");
  await harness.say("and then?", forked.threadId);
  await harness.say("or so?");
  expect(await saidIn(forked.threadId)).toEqual(["first question", "one", "and then?", "two"]);
  expect(await saidIn("t")).toEqual(["first question", "one", "or so?", "three"]);
  await command("/rename The main road");
  harness = await harness.restart();
  expect(harness.host.find("t").title).toBe("The main road");
  expect(harness.host.find(forked.threadId)).toMatchObject({ title: "the other way", parent: "t" });
});

it("keeps a title without the list file, and other processes' entries", async () => {
  harness = await startHarness({ answers: [{ text: "one" }, { text: "two" }] });
  await harness.say("first question");
  await harness.host.rename("t", "The\nmain \u001b[31mroad");
  const renamed = harness.host.find("t").title;
  expect(renamed).toBe("The main road");
  const other = await harness.restart();
  const [state] = (await readdir(harness.dataDir, { recursive: true })).filter((name) =>
    name.endsWith("/t.json"),
  );
  await rm(join(harness.dataDir, state ?? ""));
  harness = await other.restart();
  expect(harness.host.find("t").title).toBe("The main road");
  await expect(harness.host.rename("t", " \n ")).rejects.toMatchObject({ code: "invalid_input" });
});

it("leaves a renamed closed session available to others", async () => {
  harness = await startHarness({ answers: [{ text: "one" }] });
  await harness.say("first question");
  harness = await harness.restart();
  await harness.host.rename("t", "The main road");
  const listed = await listSessions(harness);
  expect(listed).toMatchObject([{ threadId: "t", title: "The main road", messageCount: 2 }]);
  const locks = (await readdir(harness.dataDir, { recursive: true })).filter((name) =>
    name.endsWith(".lock"),
  );
  expect(locks).toEqual([]);
});

it("/export writes what was said and done", async () => {
  harness = await startHarness({
    answers: [
      { toolCalls: [{ name: "glob", args: { pattern: "*.none" } }] },
      { text: "**Done** <script>alert(1)</script> [x](javascript:alert(2)) ![y](http://z/w.png)" },
    ],
  });
  await mkdir(join(harness.projectRoot, "notes"));
  await harness.say("look <b>here</b>");
  await command("/export notes/talk.md");
  const read = (name: string) => readFile(join(harness.projectRoot, "notes", name), "utf8");
  const text = await read("talk.md");
  expect(text).toContain("# look <b>here</b>");
  expect(text).toMatch(/## User\n\nlook <b>here<\/b>\n\n<details><summary><code>glob<\/code>/);
  expect(text).toMatch(/## cairn\n\n\*\*Done\*\*/);
});
