import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

function repository(): CliFolders & { commit(message: string): void } {
  const place = createCliFolders();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: place.project,
    });
  git("init", "-q", "-b", "main");
  let count = 0;
  const commit = (message: string) => {
    count += 1;
    writeFileSync(join(place.project, "retry.py"), `# ${count}\n`);
    git("add", ".");
    git("commit", "-qm", message);
  };
  return { ...place, commit };
}

const hook = (place: CliFolders, event: string, session = "s1", more: object = {}) =>
  runInProcess(place, ["hook", "claude-code", event, "--debug"], {
    stdin: JSON.stringify({ session_id: session, cwd: place.project, ...more }),
  });

async function countStored(place: CliFolders): Promise<Record<string, number>> {
  const { stdout } = await runInProcess(place, ["list", "sources", "--json"]);
  const { sources } = JSON.parse(stdout) as {
    sources: { kind: string; title: string; passages: number }[];
  };
  return Object.fromEntries(
    sources.map(({ kind, title, passages }) => [kind === "git" ? kind : title, passages]),
  );
}

it("reads new commits and decision files at session start unless memory is empty", async () => {
  const place = repository();
  place.commit("Cap retries at seven");
  writeFileSync(join(place.project, "AGENTS.md"), "# Rules\n\nUse pnpm, never npm.\n");
  await hook(place, "session-start");
  await hook(place, "stop");
  expect((await runInProcess(place, ["list", "sources"])).stdout).not.toContain("git");
  await runInProcess(place, ["remember", "We ship on Tuesdays."]);
  await hook(place, "session-start");
  await hook(place, "stop");
  expect(await countStored(place)).toEqual({ git: 1, "AGENTS.md": 1 });
  place.commit("Sort files by name");
  await hook(place, "session-start", "s2");
  await hook(place, "session-start", "s2");
  await hook(place, "stop", "s2");
  expect(await countStored(place)).toEqual({ git: 2, "AGENTS.md": 1 });
});

it("reads new commits when a session resumes", async () => {
  const place = repository();
  await runInProcess(place, ["remember", "We ship on Tuesdays."]);
  await hook(place, "session-start");
  place.commit("Cap retries at seven");
  const resumed = await hook(place, "session-start", "s1", { source: "resume" });
  expect(resumed.stdout).toBe("");
  await hook(place, "stop");
  expect(await countStored(place)).toEqual({ git: 1 });
});

it("reads nothing automatically in an untrusted project or if disabled", async () => {
  const place = repository();
  place.commit("Cap retries at seven");
  mkdirSync(join(place.project, ".cairn"), { recursive: true });
  const config = join(place.project, ".cairn", "config.json");
  await runInProcess(place, ["remember", "We ship on Tuesdays."]);
  writeFileSync(config, JSON.stringify({ sources: { keep: { age: "1d" } } }));
  await hook(place, "session-start");
  await hook(place, "stop");
  expect(await countStored(place)).toEqual({});
  writeFileSync(config, JSON.stringify({ sources: { off: ["git", "decisions"] } }));
  await runInProcess(place, ["trust", "--yes"]);
  await hook(place, "session-start");
  await hook(place, "stop");
  expect(await countStored(place)).toEqual({});
});

it("reads decision files on request, then only changes", async () => {
  const place = repository();
  mkdirSync(join(place.project, "docs", "adr"), { recursive: true });
  const path = join(place.project, "docs", "adr", "0001-queue.md");
  writeFileSync(path, "# Keep Redis\n\nWe keep Redis for the queue.\n");
  const read = async () => {
    const args = ["import", "--from", "decisions", "--json"];
    return JSON.parse((await runInProcess(place, args)).stdout).added;
  };
  expect(await read()).toBe(1);
  expect(await read()).toBe(0);
  writeFileSync(path, "# Keep Redis\n\nWe keep Valkey for the queue.\n");
  await read();
  const { stdout } = await runInProcess(place, ["recall", "which store has the queue", "--json"]);
  const texts = JSON.parse(stdout).passages.map(({ text }: { text: string }) => text);
  expect(texts).toEqual(["Keep Redis\n\nWe keep Valkey for the queue."]);
});
