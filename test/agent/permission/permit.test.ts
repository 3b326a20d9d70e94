import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { PermissionQuestion } from "../../../src/agent/index.ts";
import { judgeCall } from "../../../src/agent/permission/judge-call.ts";
import { type Effect, WHOLE_TOOL } from "../../../src/agent/permission/permission-types.ts";
import { startHarness } from "../support/thread-harness.ts";

type Change = (root: string) => Promise<void>;

/**
 * Runs one call that prompts, applies `change` to the project while the prompt is open, then
 * allows it.
 */
async function askedCall(
  call: { readonly name: string; readonly args: object },
  { prepare, change }: { readonly prepare: Change; readonly change: Change },
) {
  const harness = await startHarness({
    surface: "terminal",
    settings: { permission: { mode: "ask", rules: [{ tool: "read", action: "ask" }] } },
    answers: [{ toolCalls: [call] }, { text: "done" }],
  });
  onTestFinished(() => harness.close());
  const { host, projectRoot } = harness;
  await prepare(projectRoot);
  const questions: PermissionQuestion[] = [];
  host.permission.attach((notice) => {
    if (notice.type !== "permission.ask") return;
    questions.push(notice.question);
    const { threadId, questionId } = notice.question;
    void change(projectRoot).then(() =>
      host.permission.answer(threadId, questionId, { decision: "once" }),
    );
  });
  await harness.say("go");
  const result = JSON.stringify(harness.model.requests.at(-1));
  return { projectRoot, questions, result };
}

const nothing = async () => undefined;

it("writes nothing if a folder of the judged path became a link", async () => {
  const { projectRoot, result } = await askedCall(
    { name: "write", args: { path: "notes/pre-commit", content: "evil\n" } },
    {
      async prepare(root) {
        for (const folder of ["notes", ".husky"]) await mkdir(join(root, folder));
      },
      async change(root) {
        await rename(join(root, "notes"), join(root, "gone"));
        await symlink(".husky", join(root, "notes"));
      },
    },
  );
  expect(existsSync(join(projectRoot, ".husky/pre-commit"))).toBe(false);
  expect(result).toContain("replaced by a symbolic link");
});

it("reads the approved file if the named link changed meanwhile", async () => {
  const { questions, result } = await askedCall(
    { name: "read", args: { path: "link.txt" } },
    {
      async prepare(root) {
        await writeFile(join(root, "shown.txt"), "SHOWN\n");
        await writeFile(join(root, "other.txt"), "OTHER\n");
        await symlink("shown.txt", join(root, "link.txt"));
      },
      async change(root) {
        await rm(join(root, "link.txt"));
        await symlink("other.txt", join(root, "link.txt"));
      },
    },
  );
  expect(questions[0]?.title).toContain("→ shown.txt");
  expect(result).toContain("SHOWN");
  expect(result).not.toContain("OTHER");
});

it("overwrites no user changes made while the diff was shown", async () => {
  const { projectRoot, result } = await askedCall(
    { name: "write", args: { path: "a.txt", content: "new\n", overwrite: true } },
    {
      prepare: (root) => writeFile(join(root, "a.txt"), "old\n"),
      change: (root) => writeFile(join(root, "a.txt"), "mine\n"),
    },
  );
  expect(await readFile(join(projectRoot, "a.txt"), "utf8")).toBe("mine\n");
  expect(result).toContain("changed before the user answered");
});

it("shows link targets in titles of files and reasons of commands", async () => {
  const prepare: Change = async (root) => {
    await symlink("/etc/hostname", join(root, "link.txt"));
  };
  const read = await askedCall(
    { name: "read", args: { path: "link.txt" } },
    { prepare, change: nothing },
  );
  expect(read.questions[0]?.title).toContain("→ /etc/hostname");
  const shell = await askedCall(
    { name: "shell", args: { command: "cat link.txt" } },
    { prepare, change: nothing },
  );
  expect(shell.questions[0]?.reason).toContain("link.txt → /etc/hostname is outside the project");
});

it("never offers the whole tool for a file name", () => {
  const effect = { tool: "write", subject: "*", byMode: "ask", reason: "", always: "*" } as const;
  expect(judgeCall([effect], []).always).toEqual([
    { tool: "write", action: "allow", pattern: "*" },
  ]);
  const remembered = { tool: "write", pattern: "*", action: "allow", remembered: true } as const;
  const other = { ...effect, subject: "a.txt", always: "a.txt" };
  expect(judgeCall([other], [remembered]).action).toBe("ask");
  const whole: Effect = { ...effect, always: WHOLE_TOOL };
  expect(judgeCall([whole], []).always).toEqual([{ tool: "write", action: "allow" }]);
});
