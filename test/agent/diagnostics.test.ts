import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { newErrors } from "../../src/agent/diagnostics/project-checks.ts";
import { agentSettings } from "../../src/agent/settings.ts";
import { type Harness, startHarness } from "./support/thread-harness.ts";

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** Prints `file:line: error` for each line that contains "bad", like a compiler. */
const CHECK =
  'grep -nH bad *.txt | sed "s/\\(.*:[0-9]*\\):.*/\\1: error: bad word/"; ! grep -q bad *.txt';

async function start(check: object, ...writes: readonly { path: string; content: string }[]) {
  const settings = agentSettings.parse({
    sandbox: false,
    permission: { mode: "auto", rules: [{ tool: "*", action: "allow" }] },
    checks: [check],
  });
  const answers = writes.map(({ path, content }) => ({
    toolCalls: [{ name: "write", args: { path, content, overwrite: true } }],
  }));
  harness = await startHarness({ answers: [...answers, { text: "done" }], settings });
  await writeFile(join(harness.projectRoot, "old.txt"), "bad\n");
  return harness;
}

const results = ({ model }: Harness) =>
  (model.requests.at(-1)?.body.messages ?? []).flatMap(({ role, content }) =>
    role === "tool" ? [String(content)] : [],
  );

it("adds new errors to an edit, without existing ones", async () => {
  const one = await start(
    { command: CHECK },
    { path: "a.txt", content: "fine\n" },
    { path: "a.txt", content: "fine\nbad\n" },
    { path: "a.txt", content: "\n\nbad\n" },
    { path: "a.txt", content: "fine\n" },
  );
  await one.say("write");
  const [first, second, third, last] = results(one);
  expect(first).not.toContain("reports new problems");
  expect(second).toContain(
    `After this edit \`${CHECK}\` reports new problems:\na.txt:2: error: bad word`,
  );
  expect(second).not.toContain("old.txt");
  expect(third).not.toContain("reports new problems");
  expect(last).not.toContain("reports new problems");
});

it("checks only matching files, and reports when it cannot", async () => {
  const one = await start(
    { command: "no-such-checker-here", files: "*.{ts,py}" },
    { path: "a.txt", content: "x" },
    { path: "a.py", content: "x" },
  );
  await one.say("write");
  const [text, python] = results(one);
  expect(text).not.toContain("no-such-checker");
  expect(python).toMatch(/The check `no-such-checker-here` could not be run/);
});

it("cancels a slow check and keeps the edit", async () => {
  const one = await start({ command: "sleep 600", timeoutMs: 50 }, { path: "a.txt", content: "x" });
  await one.say("write");
  expect(results(one)[0]).toContain("Wrote a.txt");
  expect(results(one)[0]).toContain("took longer than 0.05 s");
});

it("treats a moved error as unchanged", () => {
  expect(newErrors(["a.ts(1,2): error"], ["a.ts(9,2): error"])).toEqual([]);
  expect(newErrors(["a.ts(1,2): error"], ["a.ts(1,2): error", "a.ts(3,2): error"])).toEqual([
    "a.ts(3,2): error",
  ]);
});
