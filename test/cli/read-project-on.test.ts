import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

function repository(): CliFolders & { commit(message: string): void } {
  const folders = createCliFolders();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: folders.project,
    });
  git("init", "-q", "-b", "main");
  let count = 0;
  const commit = (message: string) => {
    count += 1;
    writeFileSync(join(folders.project, "retry.py"), `# ${count}\n`);
    git("add", ".");
    git("commit", "-qm", message);
  };
  return { ...folders, commit };
}

const hook = (folders: CliFolders, event: string, session = "s1", more: object = {}) =>
  runInProcess(folders, ["hook", "claude-code", event, "--debug"], {
    stdin: JSON.stringify({ session_id: session, cwd: folders.project, ...more }),
  });

async function countStored(folders: CliFolders): Promise<Record<string, number>> {
  const { stdout } = await runInProcess(folders, ["list", "sources", "--json"]);
  const { sources } = JSON.parse(stdout) as {
    sources: { kind: string; title: string; passages: number }[];
  };
  return Object.fromEntries(
    sources.map(({ kind, title, passages }) => [kind === "git" ? kind : title, passages]),
  );
}

it("reads new commits and decision files at session start unless memory is empty", async () => {
  const folders = repository();
  folders.commit("Cap retries at seven");
  writeFileSync(join(folders.project, "AGENTS.md"), "# Rules\n\nUse pnpm, never npm.\n");
  await hook(folders, "session-start");
  await hook(folders, "stop");
  expect((await runInProcess(folders, ["list", "sources"])).stdout).not.toContain("git");
  await runInProcess(folders, ["remember", "We ship on Tuesdays."]);
  await hook(folders, "session-start");
  await hook(folders, "stop");
  expect(await countStored(folders)).toEqual({ git: 1, "AGENTS.md": 1 });
  folders.commit("Sort files by name");
  await hook(folders, "session-start", "s2");
  await hook(folders, "session-start", "s2");
  await hook(folders, "stop", "s2");
  expect(await countStored(folders)).toEqual({ git: 2, "AGENTS.md": 1 });
});

it("reads new commits when a session resumes", async () => {
  const folders = repository();
  await runInProcess(folders, ["remember", "We ship on Tuesdays."]);
  await hook(folders, "session-start");
  folders.commit("Cap retries at seven");
  const resumed = await hook(folders, "session-start", "s1", { source: "resume" });
  expect(resumed.stdout).toBe("");
  await hook(folders, "stop");
  expect(await countStored(folders)).toEqual({ git: 1 });
});

it("reads nothing automatically in an untrusted project or if disabled", async () => {
  const folders = repository();
  folders.commit("Cap retries at seven");
  mkdirSync(join(folders.project, ".cairn"), { recursive: true });
  const config = join(folders.project, ".cairn", "config.json");
  await runInProcess(folders, ["remember", "We ship on Tuesdays."]);
  writeFileSync(config, JSON.stringify({ sources: { keep: { age: "1d" } } }));
  await hook(folders, "session-start");
  await hook(folders, "stop");
  expect(await countStored(folders)).toEqual({});
  writeFileSync(config, JSON.stringify({ sources: { off: ["git", "decisions"] } }));
  await runInProcess(folders, ["trust", "--yes"]);
  await hook(folders, "session-start");
  await hook(folders, "stop");
  expect(await countStored(folders)).toEqual({});
});

it("reads decision files on request, then only changes", async () => {
  const folders = repository();
  mkdirSync(join(folders.project, "docs", "adr"), { recursive: true });
  const path = join(folders.project, "docs", "adr", "0001-queue.md");
  writeFileSync(path, "# Keep Redis\n\nWe keep Redis for the queue.\n");
  const read = async () => {
    const args = ["import", "--from", "decisions", "--json"];
    return JSON.parse((await runInProcess(folders, args)).stdout).added;
  };
  expect(await read()).toBe(1);
  expect(await read()).toBe(0);
  writeFileSync(path, "# Keep Redis\n\nWe keep Valkey for the queue.\n");
  await read();
  const { stdout } = await runInProcess(folders, ["recall", "which store has the queue", "--json"]);
  const texts = JSON.parse(stdout).passages.map(({ text }: { text: string }) => text);
  expect(texts).toEqual(["Keep Redis\n\nWe keep Valkey for the queue."]);
});
