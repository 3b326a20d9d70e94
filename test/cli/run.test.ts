// @module-tag long: runs a full command per case.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCairnRepository } from "../support/cairn-in-repository.ts";

const LIMIT = 120_000;

async function setUp(config: object = {}) {
  const started = await createCairnRepository();
  const { home } = started.place;
  mkdirSync(join(home, ".config/cairn"), { recursive: true });
  const settings = { permission: { mode: "auto", rules: [{ tool: "shell", action: "allow" }] } };
  writeFileSync(
    join(home, ".config/cairn/config.json"),
    JSON.stringify({ ...settings, ...config }),
  );
  const tasks = (text: string) => {
    writeFileSync(join(home, "tasks.md"), text);
    return join(home, "tasks.md");
  };
  return { ...started, tasks };
}

const append = (line: string) => ({
  toolCalls: [{ name: "shell", args: { command: `echo ${line} >> pay.ts` } }],
});

it(
  "commits completed tasks to a branch, stashes failed work and reports both",
  async () => {
    const { place, model, run, tasks, git } = await setUp();
    writeFileSync(join(place.project, "draft.txt"), "uncommitted\n");
    model.script(
      append("// five"),
      { text: "Done." },
      append("// half"),
      { text: "NOT DONE: there is no such setting." },
      { text: "Done." },
    );
    const file = tasks(
      "- [ ] Try five times\n  check: grep -q five pay.ts\n- [ ] Rename the setting\n  id: b\n- [ ] Last\n- [ ] After b\n  after: b\n",
    );
    const ended = await run("run", file, "--hours", "2");
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining("# 2 of 4 tasks done")]);
    expect(readFileSync(join(place.project, "pay.ts"), "utf8")).toBe("export const retries = 3;\n");
    const report = JSON.parse((await run("run", "report", "--json")).stdout);
    expect(report.done[0]).toMatchObject({ id: "1", files: 1, added: 1 });
    expect(report.not_done[0]).toMatchObject({ id: "b", reason: "there is no such setting." });
    expect(report.not_done[1]).toMatchObject({ status: "skipped", reason: "Task b is not done." });
    expect(git("show", `${report.branch}:pay.ts`)).toBe("export const retries = 3;\n// five\n");
    expect(git("log", "--format=%s", `HEAD..${report.branch}`)).toBe(
      "Try five times\nUncommitted changes at the start of the run\n",
    );
    expect(git("show", `${report.not_done[0].branch}:pay.ts`)).toContain("// half");
  },
  LIMIT,
);

it(
  "resumes after a kill without repeating work and counts the interrupted request",
  async () => {
    const { model, start, run, tasks, git } = await setUp();
    const file = tasks("- [ ] First\n- [ ] Second\n");
    model.script(append("one"), { text: "Done." }, append("two"), { hang: true });
    const first = await start("run", file);
    await model.waitForRequests(4, LIMIT);
    first.child.kill("SIGKILL");
    await first.exited;
    expect((await run("run", "status")).stdout).toContain(
      "stopped; `cairn run --resume` continues",
    );
    model.script({ text: "It is there. Done." });
    const again = await run("run", "--resume");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("# 2 of 2 tasks done")]);
    expect(model.requests).toHaveLength(5);
    const report = JSON.parse((await run("run", "report", "--json")).stdout);
    expect(report).toMatchObject({ restarts: 1, spent: { uncertain: { requests: 1 } } });
    expect(git("show", `${report.branch}:pay.ts`)).toBe("export const retries = 3;\none\ntwo\n");
  },
  LIMIT,
);

it(
  "waits out a rate limit and never sends a request that could exceed the cost limit",
  async () => {
    const price = { scripted: { input: 1, output: 10 } };
    const { model, run, tasks } = await setUp({ prices: price });
    model.script(
      { status: 429, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "1" } },
      { status: 429, headers: { "retry-after": "1" } },
      append("one"),
      { hang: true },
    );
    const ended = await run(
      "run",
      tasks("- [ ] First\n"),
      "--max-cost",
      "0.05",
      "--hours",
      "0.003",
    );
    expect(ended.code).toBe(1);
    for (const { body } of model.requests) expect(body.max_tokens).toBeLessThanOrEqual(5_000);
    const report = JSON.parse((await run("run", "report", "--json")).stdout);
    expect(report.spent.cost).toBeLessThanOrEqual(0.05);
    expect(report.spent.uncertain.requests).toBe(1);
  },
  LIMIT,
);

it(
  "denies what would ask, and lists it in the report",
  async () => {
    const { model, run, tasks } = await setUp({ permission: { mode: "ask" } });
    expect((await run("run")).stderr).toContain("name the task file");
    model.script(
      { toolCalls: [{ name: "shell", args: { command: "git push origin main" } }] },
      { text: "Done." },
    );
    const { code, stdout } = await run("run", tasks("- [ ] Append\n"));
    expect(code).toBe(0);
    expect(stdout).toContain("## Refused");
    expect(stdout).toContain("shell git push origin main");
  },
  LIMIT,
);
