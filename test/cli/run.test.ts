// @module-tag long: a whole command in each case.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cairnInRepository } from "../support/cairn-in-repository.ts";
import { patiently } from "../support/patiently.ts";
import { until } from "../support/until.ts";

const LIMIT = patiently(60_000);

async function setUp() {
  const started = await cairnInRepository();
  const { home } = started.place;
  mkdirSync(join(home, ".config/cairn"), { recursive: true });
  const told = join(home, "told");
  writeFileSync(
    join(home, ".config/cairn/config.json"),
    JSON.stringify({
      unattended: { notify: ["sh", "-c", 'cat >>"$0"; echo "$1" >>"$0"', told] },
      permission: { mode: "auto", rules: [{ tool: "shell", action: "allow" }] },
    }),
  );
  const tasks = (text: string) => {
    const file = join(home, "tasks.md");
    writeFileSync(file, text);
    return file;
  };
  return { ...started, tasks, told };
}

const append = (line: string) => ({
  toolCalls: [{ name: "shell", args: { command: `echo ${line} >> pay.ts` } }],
});

it(
  "works through a list, reports it, tells of the end, and its work is taken over as a commit",
  async () => {
    const { place, model, run, tasks, told, git } = await setUp();
    model.script(
      append("// five"),
      { text: "Done." },
      { text: "NOT DONE: there is no such setting." },
    );
    const file = tasks(
      "- [ ] Try five times\n  check: grep -q five pay.ts\n- [ ] Rename the setting\n",
    );
    const night = await run("run", file, "--hours", "2");
    expect([night.code, night.stderr]).toEqual([
      1,
      expect.stringContaining("[1] ✓ grep -q five pay.ts"),
    ]);
    expect(night.stdout).toContain("# 1 of 2 tasks done");
    expect(night.stdout).toContain("It cannot be done: there is no such setting.");
    expect(readFileSync(join(place.project, "pay.ts"), "utf8")).not.toContain("five");
    expect(readFileSync(told, "utf8")).toMatch(/"kind":"ended".*\ncairn: 1 of 2 tasks done\n/);

    const report = JSON.parse((await run("run", "report", "--json")).stdout);
    expect(report.done[0]).toMatchObject({ id: "1", changed: ["pay.ts"], added: 1 });
    expect(existsSync(report.done[0].path)).toBe(true);
    const status = await run("run", "status");
    expect(status.stdout).toMatch(
      /ended\n\[x\] 1 Try five times\n\[!\] 2 Rename the setting \(It cannot/,
    );

    const merged = await run(
      "copy",
      "merge",
      report.done[0].copy,
      "--commit",
      "-m",
      "Try five times",
      "-y",
    );
    expect([merged.code, merged.stdout]).toEqual([
      0,
      expect.stringMatching(/Took over 1 file as the commit [0-9a-f]{10}/),
    ]);
    expect(git("log", "-1", "--format=%s")).toBe("Try five times\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(place.project, "pay.ts"), "utf8")).toContain("// five");
  },
  LIMIT,
);

it("goes on where it was when it was killed in the middle, and does nothing twice", {
  tags: ["long"],
  timeout: LIMIT,
}, async () => {
  const { model, start, run, tasks } = await setUp();
  const file = tasks("- [ ] First\n- [ ] Second\n");
  model.script(append("one"), { text: "Done." }, append("two"), { hang: true });
  const first = await start("run", file);
  await model.waitForRequests(4, LIMIT);
  first.child.kill("SIGKILL");
  await first.exited;
  expect((await run("run", "status")).stdout).toMatch(
    /stopped; `cairn run --resume` goes on\n\[x\] 1 First\n\[~\] 2/,
  );
  model.script({ text: "It is there. Done." });
  const other = tasks("- [ ] First\n- [ ] Second\n");
  const again = await run("run", other);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("# 2 of 2 tasks done")]);
  expect(model.requests).toHaveLength(5);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(
    "The machine stopped in the middle",
  );
  const report = JSON.parse((await run("run", "report", "--json")).stdout);
  expect(report.restarts).toBe(1);
  expect(readFileSync(join(report.done[1].path, "pay.ts"), "utf8")).toBe(
    "export const retries = 3;\ntwo\n",
  );
  expect(report.spent.uncertain.requests).toBe(1);
});

it("says what is missing, and takes answers from another terminal", {
  tags: ["long"],
  timeout: LIMIT,
}, async () => {
  const { model, start, run, tasks } = await setUp();
  expect((await run("run")).stderr).toContain("name the file that holds the tasks");
  expect((await run("run", "nowhere.md")).stderr).toContain("there is no file");
  expect((await run("run", "report")).stderr).toContain("There was no unattended run");
  expect((await run("run", "answer", "ab-1", "yes")).stderr).toContain(
    'no question "ab-1" is open',
  );
  model.script(
    { toolCalls: [{ name: "ask_user", args: { question: "Which colour?" } }] },
    { text: "Done." },
  );
  const night = await start("run", tasks("- [ ] Paint it\n"));
  const asked = () => /cairn run answer (\S+) yes/.exec(night.stderr)?.[1];
  await until(() => asked() !== undefined, { limitMs: 30_000, otherwise: () => night.stderr });
  const id = asked() ?? "";
  expect((await run("run", "status")).stdout).toContain("? task 1 asks: Which colour?");
  expect((await run("run", "answer", id, "green", "please")).stdout).toBe("Answered.\n");
  expect((await night.exited).code).toBe(0);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain("green please");
  expect(night.stdout).toContain("Task 1: Which colour?: once: green please");
});
