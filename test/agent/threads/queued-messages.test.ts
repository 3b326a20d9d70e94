import { spawn } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import { buildProgram } from "../../support/built-cli.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let harness: Harness;
afterEach(() => harness.close());

const said = () =>
  (harness.model.requests.at(-1)?.body.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => String(content))
    .filter((text) => !text.startsWith("[cairn]"));

it("that were acknowledged are there after kill -9, in their order, before the next one", async () => {
  harness = await startHarness({ answers: [{ hang: true }] });
  const { memory: _memory, environment: _environment, ...plain } = harness.options;
  const script = await buildProgram("run-one-message");
  const child = spawn(
    process.execPath,
    [script, JSON.stringify(plain), "first", "second", "third"],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await harness.model.waitForRequests(1, 90_000);
  child.stdin.write("\n");
  await waitUntil(() => output.split('"queued"').length >= 3);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  harness = await harness.restart();
  const info = harness.host.list().find(({ threadId }) => threadId === "killed");
  expect(info).toMatchObject({ queued: 2, isRunning: false });
  await harness.say("fourth", "killed");
  await harness.waitFor(() => harness.host.list().every(({ isBusy }) => isBusy === false));
  expect(said()).toEqual(["first", "second", "third", "fourth"]);
  harness = await harness.restart();
  expect(harness.host.list().every(({ queued }) => queued === 0)).toBe(true);
});

it("run after a restart, and are gone after a cancel that drops them", async () => {
  harness = await startHarness({ answers: [{ hang: true }] });
  await harness.host.send("t", "first");
  await harness.model.waitForRequests(1);
  await harness.host.send("t", "second");
  harness = await harness.restart();
  await harness.say("third");
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
  expect(said()).toEqual(["first", "second", "third"]);
  harness.model.script({ hang: true });
  const before = harness.model.requests.length;
  await harness.host.send("t", "fourth");
  await harness.model.waitForRequests(before + 1);
  await harness.host.send("t", "dropped");
  await harness.host.cancel("t", { queued: "drop" });
  await harness.waitForPhase("aborted");
  harness = await harness.restart();
  await harness.say("last");
  expect(said()).not.toContain("dropped");
});

it("keep edits, order and removals after a restart", async () => {
  harness = await startHarness({ answers: [{ hang: true }] });
  await harness.host.send("t", "first");
  await harness.model.waitForRequests(1);
  for (const text of ["second", "third", "fourth", "fifth"]) await harness.host.send("t", text);
  const ids = async () => (await harness.host.queued("t")).map(({ id }) => id);
  const [second = "", third = "", fourth = ""] = await ids();
  await harness.host.changeQueued("t", second, { text: "second, changed" });
  await harness.host.removeQueued("t", third);
  await harness.host.changeQueued("t", fourth, { place: 0 });
  const texts = async () => (await harness.host.queued("t")).map(({ text }) => text);
  const expected = ["fourth", "second, changed", "fifth"];
  expect(await texts()).toEqual(expected);
  harness = await harness.restart();
  expect(await texts()).toEqual(expected);
  await expect(harness.host.removeQueued("t", third)).rejects.toMatchObject({ code: "not_found" });
  await harness.say("last");
  await harness.waitFor(() => harness.host.list()[0]?.isBusy === false);
  expect(said()).toEqual(["first", ...expected, "last"]);
});
