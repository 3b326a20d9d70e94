import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { loadTranscript } from "../../src/agent/threads/transcript.ts";
import { startHarness } from "../agent/support/thread-harness.ts";
import { raceForLock } from "../support/lock-race.ts";
import { waitFixedTime } from "../support/wait-fixed-time.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Required counts. Takes seconds on an idle machine and minutes on a busy one. */
const RACES = 2_000;
const KILLS = 100;
const ROUNDS = 1_000;

it(`a lock is never had by two in ${RACES} races`, async () => {
  const { codes, held, twice } = await raceForLock(4, RACES / 4);
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(held).toBeGreaterThan(100);
  expect(twice).toBe(0);
}, 180_000);

it(`no acknowledged message is lost in ${KILLS} times kill -9`, async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-kills-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(import.meta.dirname, "../agent/support/write-queued.ts");
  for (let round = 0; round < KILLS; round += 1) {
    const path = join(folder, `${round}`);
    const child = spawn(process.execPath, ["--import", "tsx", script, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const closed = once(child, "close");
    await Promise.race([once(child.stdout, "data"), closed]);
    await waitFixedTime(Math.random() * 30, "random moment");
    child.kill("SIGKILL");
    await closed;
    // The kill may have truncated the last line.
    const acknowledged = output.split("\n").slice(0, -1);
    expect(acknowledged).not.toEqual([]);
    const loaded = await loadTranscript(path);
    const retained = new Set(loaded?.queued.map(({ id }) => id));
    expect(acknowledged.filter((id) => !retained.has(id))).toEqual([]);
    expect(loaded?.damagedLines).toBe(0);
  }
}, 600_000);

it(`${ROUNDS} random rounds leave every thread usable and every history valid`, async () => {
  const harness = await startHarness({ llm: { maxRetries: 0, contextWindow: 20_000 } });
  onTestFinished(() => harness.close());
  const invalid: string[] = [];
  harness.model.respond(({ body }) => {
    const open = new Set<string>();
    for (const message of body.messages) {
      for (const call of message.tool_calls ?? []) {
        if (!/^[\w-]{1,64}$/.test(call.function.name)) invalid.push(call.function.name);
        open.add(call.id);
      }
      if (message.role === "tool" && !open.delete(message.tool_call_id ?? "")) {
        invalid.push(`orphan ${message.tool_call_id}`);
      }
      if (message.role === "user" && open.size > 0) invalid.push("open call");
    }
    return answers[Math.floor(Math.random() * answers.length)] ?? {};
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const action = actions[Math.floor(Math.random() * actions.length)] ?? "say";
    if (action === "cancel") await harness.host.cancel("t");
    else await harness.host.send("t", action === "say" ? `round ${round}` : action).catch(() => {});
    if (Math.random() < 0.3) await waitFixedTime(Math.random() * 20, "random moment");
  }
  await harness.host.cancel("t");
  await waitUntil(() => harness.host.list()[0]?.isBusy === false);
  expect(invalid).toEqual([]);
  harness.model.respond(() => ({ text: "fine" }));
  await harness.say("and now?");
  expect(harness.events.at(-2)).toMatchObject({ text: "fine" });
  const statuses = harness.events.flatMap((one) => (one.type === "status" ? [one.phase] : []));
  const count = (phase: string) => statuses.filter((one) => one === phase).length;
  expect(count("idle")).toBeGreaterThanOrEqual(count("running"));
  const seqs = harness.events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_seq, index) => index + (seqs[0] ?? 0)));
}, 600_000);

const actions = ["say", "say", "say", "cancel", "/handover", "/undo", "/redo", "/clear"];
const answers = [
  { text: "ok" },
  { text: "long ".repeat(3_000) },
  { toolCalls: [{ id: "call_0", name: "functions.shell", args: {} }] },
  {
    toolCalls: [
      { id: "call_0", name: "write", args: { path: "f", content: "x", overwrite: true } },
    ],
  },
  { toolCalls: [{ name: "glob", args: "{broken" }] },
  { status: 500 },
  { status: 400, errorMessage: "maximum context length is 10 tokens" },
  { cutOff: true, text: "half" },
  { text: "" },
  { delayMs: 15, text: "late" },
];
