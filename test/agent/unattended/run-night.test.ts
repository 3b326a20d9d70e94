import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findCopy, listCopies } from "../../../src/agent/copies/copy-place.ts";
import { AnswerFiles } from "../../../src/agent/unattended/answer-files.ts";
import { findNight, readNight } from "../../../src/agent/unattended/night-place.ts";
import { reportOf } from "../../../src/agent/unattended/night-report.ts";
import type { NightState } from "../../../src/agent/unattended/night-state.ts";
import { spentOf } from "../../../src/agent/unattended/night-state.ts";
import { reportAsMarkdown } from "../../../src/agent/unattended/report-as-markdown.ts";
import { patiently } from "../../support/patiently.ts";
import { until } from "../../support/until.ts";
import { startNightBench, task, taskOf } from "./support/night-bench.ts";

const LIMIT = patiently(30_000);
const append = (line: string) => ({
  name: "shell",
  args: { command: `echo ${line} >> list.txt` },
});
const standing = (state: NightState) =>
  Object.fromEntries([...state.tasks.values()].map(({ task: { id }, status }) => [id, status]));

it(
  "does each task in a copy of its own, upon the work of those before it, and leaves the project",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(({ body }) => {
      const done = body.messages.some(({ role }) => role === "tool");
      return done ? { text: "Done." } : { toolCalls: [append(taskOf(body.messages))] };
    });
    const checks = ["grep -q begin list.txt"];
    const tasks = [
      task("1"),
      task("2", { after: ["1"] }),
      task("3", { checks: ["grep -q 3 list.txt"] }),
    ];
    const state = await bench.begin(tasks, { checks, atOnce: 2, land: "branch" });
    expect(standing(state)).toEqual({ 1: "done", 2: "done", 3: "done" });
    expect(bench.read(bench.project, "list.txt")).toBe("begin\n");
    expect(bench.git("status", "--porcelain")).toBe("");
    const listOf = (id: string) => {
      const copy = findCopy(bench.dataDir, bench.project, `${state.id}-${id}`);
      return bench.read(copy.tree, "list.txt");
    };
    expect([listOf("1"), listOf("2"), listOf("3")]).toEqual([
      "begin\n1\n",
      "begin\n1\n2\n",
      "begin\n3\n",
    ]);
    expect(bench.git("show", `cairn/${state.id}-3:list.txt`)).toBe("begin\n3\n");
    expect(bench.git("log", "-1", "--format=%an %s", `cairn/${state.id}-3`)).toBe("Ada Task 3\n");
    // A branch of its own needs what it builds upon: that is not in the last commit.
    expect(state.tasks.get("2")?.landed?.problem).toContain("list.txt");
  },
  LIMIT,
);

it(
  "waits for hours where the service says so, and asks again once",
  async () => {
    const bench = await startNightBench();
    bench.model.script(
      { status: 429, headers: { "retry-after": "3600" } },
      { status: 503 },
      { text: "Half of the", cutOff: true },
      { toolCalls: [append("1")] },
      { text: "Done." },
    );
    const state = await bench.begin([task("1")]);
    expect(standing(state)).toEqual({ 1: "done" });
    expect(bench.clock.waits[0]).toBe(3_600_000);
    expect(bench.clock.waits).toHaveLength(3);
    expect(bench.model.requests).toHaveLength(5);
    expect(state.waits.map(({ reason }) => reason)).toEqual([
      "status 429",
      "status 503",
      expect.stringContaining("broke off"),
    ]);
  },
  LIMIT,
);

it(
  "ends when a model does not answer for too long, and goes on when asked to",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(() => ({ status: 503 }));
    const state = await bench.begin([task("1"), task("2")]);
    expect(standing(state)).toEqual({ 1: "running", 2: "waiting" });
    expect(state.ended?.reason).toMatch(/has not answered for longer than 6 h \(status 503\)/);
    bench.model.respond(() => ({ text: "Done." }));
    expect(standing(await bench.resume())).toEqual({ 1: "done", 2: "done" });
  },
  LIMIT,
);

it(
  "ends at once where the key is refused, and says so",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(() => ({ status: 401 }));
    const state = await bench.begin([task("1"), task("2")]);
    expect(state.ended?.reason).toMatch(/The model service refuses: 401/);
    expect(bench.model.requests).toHaveLength(1);
  },
  LIMIT,
);

it(
  "gives a failure of the checks back, and ends what fails three times in the same way",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(({ body }) => {
      const said = JSON.stringify(body.messages.at(-1));
      if (taskOf(body.messages) === "1" && said.includes("not accepted")) {
        return { toolCalls: [append("good")] };
      }
      return { text: "Done." };
    });
    const check = "grep -q good list.txt || { echo took $$ ms; exit 3; }";
    const tasks = [
      task("1", { checks: [check] }),
      task("2", { checks: [check] }),
      task("3", { after: ["2"] }),
    ];
    const state = await bench.begin(tasks);
    expect(standing(state)).toEqual({ 1: "done", 2: "failed", 3: "failed" });
    expect(state.tasks.get("2")?.reason).toMatch(/failed 3 times in the same way \(exit code 3\)/);
    expect(state.tasks.get("3")?.reason).toBe('It comes after "2", which is not done.');
  },
  LIMIT,
);

it(
  "ends a check that hangs, a task that changes nothing, and one that says it cannot be done",
  async () => {
    const bench = await startNightBench();
    let asked = 0;
    bench.model.respond(({ body }) => {
      const id = taskOf(body.messages);
      if (id === "2") {
        asked += 1;
        return { toolCalls: [{ name: "shell", args: { command: `echo ${asked}` } }] };
      }
      return { text: id === "3" ? "I looked.\n\nNOT DONE: there is no such setting." : "Done." };
    });
    const tasks = [task("1", { checks: ["sleep 60"] }), task("2"), task("3")];
    const state = await bench.begin(tasks, { checkTimeoutMs: 150 });
    expect([...state.tasks.values()].map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/`sleep 60` failed 3 times .*did not end within 150 ms/),
      expect.stringMatching(/asked the model 20 times and changed no file/),
      "It cannot be done: there is no such setting.",
    ]);
  },
  LIMIT,
);

it(
  "never spends more than the limit, whatever is at work at once",
  async () => {
    const bench = await startNightBench();
    const usage = { input: 30_000, output: 9_000 };
    bench.model.respond(({ body }) => {
      const count = body.messages.filter(({ role }) => role === "tool").length;
      return count < 4 ? { toolCalls: [append(`line${count}`)], usage } : { text: "Done.", usage };
    });
    const limits = {
      hours: 10,
      cost: 1.5,
      turns: 50,
      outageHours: 6,
      idleTurns: 20,
      equalFailures: 3,
    };
    const tasks = Array.from({ length: 6 }, (_, index) => task(`${index + 1}`));
    const state = await bench.begin(tasks, { limits, atOnce: 3 });
    expect(state.ended?.reason).toMatch(/of \$1.5 is spent, and the next request may cost/);
    const billed = bench.model.requests.length * ((30_000 * 1 + 9_000 * 10) / 1e6);
    expect(spentOf(state).dollars).toBeCloseTo(billed, 6);
    expect(billed).toBeLessThanOrEqual(1.5);
    expect(billed).toBeGreaterThan(0.8);
  },
  LIMIT,
);

it(
  "refuses to begin with a limit of money where no price is known",
  async () => {
    const bench = await startNightBench();
    const limits = {
      hours: 10,
      cost: 1.5,
      turns: 50,
      outageHours: 6,
      idleTurns: 20,
      equalFailures: 3,
    };
    const openHost: typeof bench.openHost = ({ aroundModel, ...rest }) =>
      bench.openHost({
        ...rest,
        aroundModel: (client) => aroundModel({ ...client, price: undefined }),
      });
    const state = await bench.begin([task("1")], { limits }, { openHost });
    expect(state.ended?.reason).toMatch(/no price is known for scripted/);
    expect(bench.model.requests).toHaveLength(0);
  },
  LIMIT,
);

it(
  "lets a question wait while other tasks go on, and takes the answer from elsewhere",
  async () => {
    const bench = await startNightBench();
    bench.settings.current = {
      ...bench.settings.current,
      permission: { mode: "auto", rules: [{ tool: "shell", pattern: "echo 1 *", action: "ask" }] },
    };
    bench.model.respond(({ body }) => {
      const done = body.messages.some(({ role }) => role === "tool");
      return done ? { text: "Done." } : { toolCalls: [append(taskOf(body.messages))] };
    });
    const running = bench.begin([task("1"), task("2")]);
    const place = () => findNight(bench.dataDir, bench.project);
    await until(() => existsSync(bench.dataDir) && bench.notices.length > 0);
    await until(() => readNight(place()).tasks.get("2")?.status === "done");
    const [question] = readNight(place()).questions;
    expect(question).toMatchObject({ task: "1", title: "shell echo 1 >> list.txt" });
    expect(bench.notices[0]).toMatchObject({
      kind: "question",
      text: expect.stringContaining("echo 1"),
    });
    new AnswerFiles(place().answers).put(question?.question ?? "", {
      decision: "no",
      message: "leave it",
    });
    const state = await running;
    expect(standing(state)).toEqual({ 1: "done", 2: "done" });
    expect(state.questions[0]?.answer).toBe("no: leave it");
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain("leave it");
  },
  LIMIT,
);

it(
  "asks again after a restart, and takes an answer that was given meanwhile",
  async () => {
    const bench = await startNightBench();
    bench.settings.current = {
      ...bench.settings.current,
      permission: { mode: "auto", rules: [{ tool: "shell", action: "ask" }] },
    };
    bench.model.respond(({ body }) => {
      const last = JSON.stringify(body.messages.at(-1));
      return last.includes('"tool"') ? { text: "Done." } : { toolCalls: [append("1")] };
    });
    const stop = new AbortController();
    const running = bench.begin([task("1")], {}, { signal: stop.signal });
    await until(() => bench.notices.length > 0);
    stop.abort(new Error("stopped"));
    expect((await running).ended).toBeUndefined();
    const place = findNight(bench.dataDir, bench.project);
    const [question] = readNight(place).questions;
    new AnswerFiles(place.answers).put(question?.question ?? "", { decision: "once" });
    const state = await bench.resume();
    expect(standing(state)).toEqual({ 1: "done" });
    const copy = findCopy(bench.dataDir, bench.project, `${state.id}-1`);
    expect(bench.read(copy.tree, "list.txt")).toBe("begin\n1\n");
  },
  LIMIT,
);

it(
  "refuses what asks where the person wants it so, and reports it",
  async () => {
    const bench = await startNightBench();
    bench.settings.current = {
      ...bench.settings.current,
      permission: { mode: "auto", rules: [{ tool: "shell", action: "ask" }] },
    };
    bench.model.script({ toolCalls: [append("1")] }, { text: "Done without." });
    const state = await bench.begin([task("1")], { questions: "refuse" });
    const { auditPlace, readAudit } = await import("../../../src/agent/index.ts");
    const report = await reportOf({
      ...{ dataDir: bench.dataDir, state },
      auditOf: async (folder) =>
        (await readAudit(auditPlace(bench.dataDir, join(bench.root, "config"), folder))).entries,
      learnedSince: async () => ["ep:1: Retries are counted *once*"],
    });
    expect(report.refused).toEqual([
      expect.objectContaining({
        task: "1",
        subject: "echo 1 >> list.txt",
        outcome: "nobody to ask",
      }),
    ]);
    const page = reportAsMarkdown(report);
    expect(page).toContain("# 1 of 1 task done");
    expect(page).toContain("Task 1: shell `echo 1 >> list.txt`, nobody to ask");
    expect(page).toContain("Retries are counted \\*once\\*");
  },
  LIMIT,
);

it(
  "works in the project itself where that is wanted, one task after the other",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(({ body }) => {
      const done = body.messages.some(({ role }) => role === "tool");
      return done ? { text: "Done." } : { toolCalls: [append(taskOf(body.messages))] };
    });
    const state = await bench.begin([task("1"), task("2")], { inPlace: true, atOnce: 4 });
    expect(bench.read(bench.project, "list.txt")).toBe("begin\n1\n2\n");
    expect(state.tasks.get("2")?.landed).toEqual({ files: 1, added: 1, removed: 0 });
    expect(listCopies(bench.dataDir, bench.project)).toEqual([]);
  },
  LIMIT,
);

it(
  "waits for room on a full disk, and ends where the copies take too much",
  async () => {
    const bench = await startNightBench();
    bench.model.respond(() => ({ text: "Done." }));
    let free = 0;
    const disk = {
      freeBytes: () => {
        free += 100 * 1024 * 1024;
        return free;
      },
      sizeOf: () => 5 * 1024 * 1024,
    };
    const state = await bench.begin([task("1")], {}, { disk });
    expect(standing(state)).toEqual({ 1: "done" });
    expect(bench.notices.map(({ title }) => title)).toEqual(["cairn waits: disk full"]);
    const limits = {
      hours: 10,
      diskMb: 4,
      turns: 50,
      outageHours: 6,
      idleTurns: 20,
      equalFailures: 3,
    };
    const other = await bench.begin([task("1"), task("2")], { limits }, { disk });
    expect(other.ended?.reason).toMatch(/The copies take \d+ MB, and 4 MB is the limit/);
    expect(existsSync(join(bench.dataDir, "unattended"))).toBe(true);
  },
  LIMIT,
);
