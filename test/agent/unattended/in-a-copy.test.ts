import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listCopies } from "../../../src/agent/copies/copy-place.ts";
import { addTasks, readTasks } from "../../../src/agent/tasks/task-store.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import { patiently } from "../../support/patiently.ts";
import { type HarnessOptions, startHarness } from "../support/thread-harness.ts";

const LIMIT = patiently(30_000);

async function setUp(options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  onTestFinished(() => harness.close());
  writeFileSync(join(harness.projectRoot, "list.txt"), "begin\n");
  const copies = () => listCopies(harness.dataDir, harness.projectRoot);
  return {
    ...harness,
    copies,
    list: () => readFileSync(join(harness.projectRoot, "list.txt"), "utf8"),
  };
}

const call = (name: string, args: object) => ({ name, args });
const append = (text: string) => call("shell", { command: `echo ${text} >> list.txt` });

it(
  "a subagent works in a copy where it is asked to, beside another, and is counted and shown",
  async () => {
    const bench = await setUp();
    bench.model.respond(({ body }) => {
      const text = JSON.stringify(body.messages);
      const isSub = /Add (red|blue)"/.test(text);
      const usage = { input: 100, output: 10 };
      if (!text.includes('"role":"tool"') && !isSub) {
        const calls = ["red", "blue"].map((colour) =>
          call("subagent", { id: "general", prompt: `Add ${colour}`, copy: true }),
        );
        return { toolCalls: calls, usage };
      }
      const colour = /Add (red|blue)"/.exec(text)?.[1];
      const last = body.messages.at(-1);
      if (colour !== undefined && !text.includes("worked in the copy")) {
        return last?.role === "tool"
          ? { text: "Added.", usage }
          : { toolCalls: [append(colour)], usage };
      }
      return { text: "Both are there.", usage };
    });
    await bench.say("Try two ways");
    expect(bench.list()).toBe("begin\n");
    const lists = bench.copies().map(({ tree }) => readFileSync(join(tree, "list.txt"), "utf8"));
    expect(lists.sort()).toEqual(["begin\nblue\n", "begin\nred\n"]);
    const results = bench.events.filter(
      (event) => event.type === "tool.result" && event.name === "subagent",
    );
    expect(JSON.stringify(results)).toContain("cairn copy merge agent-");
    expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain("+red");
    const labels = bench.events.flatMap((event) =>
      event.type === "tool.call" ? [event.contextLabel] : [],
    );
    expect(labels.filter((label) => label?.startsWith("[general")).length).toBe(2);
    const input = bench.events.flatMap((event) =>
      event.type === "assistant.done" ? [event.usage?.inputTokens ?? 0] : [],
    );
    expect(input.reduce((sum, count) => sum + count, 0)).toBe(bench.model.requests.length * 100);
  },
  LIMIT,
);

it(
  "a subagent whose file says so has a copy, its calls are asked about, and one without changes leaves none",
  async () => {
    const permission = { mode: "auto", rules: [{ tool: "shell", action: "ask" }] } as const;
    const bench = await setUp({
      settings: { permission: { ...permission, rules: [...permission.rules] } },
    });
    mkdirSync(join(bench.projectRoot, ".cairn/subagents"), { recursive: true });
    writeFileSync(
      join(bench.projectRoot, ".cairn/subagents/painter.md"),
      "---\ndescription: paints\ncopy: true\n---\nYou paint.\n",
    );
    const asked: unknown[] = [];
    bench.host.permission.attach((notice) => {
      if (notice.type !== "permission.ask") return;
      asked.push(notice.question);
      const { threadId, questionId } = notice.question;
      bench.host.permission.answer(threadId, questionId, { decision: "no", message: "not now" });
    });
    bench.model.script(
      { toolCalls: [call("subagent", { id: "painter", prompt: "Paint it" })] },
      { toolCalls: [append("red")] },
      { text: "I was told not to." },
      { text: "Well." },
    );
    await bench.say("Have it painted");
    expect(asked).toEqual([
      expect.objectContaining({ threadId: "t", tool: "shell", contextLabel: "[painter]" }),
    ]);
    expect(JSON.stringify(bench.model.requests[1]?.body.messages)).toContain("You paint.");
    expect(bench.copies()).toEqual([]);
  },
  LIMIT,
);

it(
  "/tasks run --unattended does the open tasks in copies, also over a server, and reports",
  async () => {
    const bench = await setUp();
    const { projectRoot } = bench;
    const draft = (name: string) => ({
      name,
      description: "",
      relatedFiles: [],
      acceptanceCriteria: [],
    });
    await addTasks({
      projectRoot,
      planId: 0,
      drafts: [draft("Paint"), draft("Fly")],
      clock: systemClock,
    });
    bench.model.script(
      { toolCalls: [append("red")] },
      { text: "Done." },
      { text: "NOT DONE: no wings" },
    );
    await bench.host.send("t", "/tasks run --unattended");
    const printed = await bench.waitFor(
      (event) => event.type === "status" && event.phase === "print",
      20_000,
    );
    const text = "message" in printed ? String(printed.message) : "";
    expect(text).toContain("# 1 of 2 tasks done");
    expect(text).toContain("It cannot be done: no wings");
    expect((await readTasks(projectRoot)).map(({ status }) => status)).toEqual(["done", "pending"]);
    expect(bench.list()).toBe("begin\n");
    const [copy] = bench.copies();
    expect(readFileSync(join(copy?.tree ?? "", "list.txt"), "utf8")).toBe("begin\nred\n");
    expect(existsSync(join(bench.dataDir, "unattended"))).toBe(true);
  },
  LIMIT,
);
