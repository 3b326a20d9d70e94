import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", [...IDENTITY, ...args], { cwd, stdio: "ignore" });
}

const at = (folders: CliFolders, project: string): CliFolders => ({ ...folders, project });

async function run(folders: CliFolders, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(folders, args);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function project(remote = "https://me:pw@example.org/team/shop.git") {
  const place = createCliFolders();
  const shop = at(place, join(place.project, "shop"));
  mkdirSync(shop.project);
  git(shop.project, "init", "-q");
  git(shop.project, "commit", "-q", "--allow-empty", "-m", "first");
  git(shop.project, "remote", "add", "origin", remote);
  await run(shop, "remember", "The queue is Redis");
  const { in_use: name } = JSON.parse(await run(shop, "list", "databases", "--json"));
  return { place, shop, name: name as string };
}

function cloneOf(folders: CliFolders, from: string, remote: string): CliFolders {
  const folder = join(folders.project, "anew", "shop");
  mkdirSync(join(folders.project, "anew"), { recursive: true });
  git(folders.project, "clone", "-q", from, folder);
  git(folder, "remote", "set-url", "origin", remote);
  return at(folders, folder);
}

it("adopts the memory of a fresh clone if first commit and remote match", async () => {
  const { place, shop, name } = await project();
  const clone = cloneOf(place, shop.project, "git@example.org:team/shop");
  rmSync(shop.project, { recursive: true });
  expect((await runInProcess(clone, ["recall", "queue"])).stdout).not.toContain("Redis");
  expect(JSON.parse(await run(clone, "db", "adopt", "--json"))).toEqual({
    name,
    folder: clone.project,
    agreement: ["first commit", "remote"],
  });
  expect(await run(clone, "recall", "queue")).toContain("The queue is Redis");
  const again = await runInProcess(clone, ["db", "adopt", name]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already") });
});

it("asks if only one matches, the old folder still exists, or data would be left behind", async () => {
  const { place, shop, name } = await project();
  const fork = cloneOf(place, shop.project, "https://example.org/fork/shop.git");
  const result = await runInProcess(fork, ["db", "adopt"]);
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain(`"${name}" of ${shop.project}, which still exists`);
  expect(result.stderr).toContain("(same first commit)");
  expect((await runInProcess(fork, ["recall", "queue"])).stdout).not.toContain("Redis");

  await run(fork, "remember", "Something of its own");
  const leaves = await runInProcess(fork, ["db", "adopt", name]);
  expect(leaves.stderr).toMatch(/The content of "shop-[0-9a-f]{6}" stays there/);
  expect(await run(fork, "db", "adopt", name, "--yes")).toContain(`now uses the database ${name}`);
  expect(await run(fork, "recall", "queue")).toContain("The queue is Redis");
  expect(await run(shop, "recall", "queue")).toContain("The queue is Redis");
});

it("adopts an unrelated memory only by name and with confirmation", async () => {
  const { place, name } = await project();
  const other = at(place, join(place.project, "other"));
  mkdirSync(other.project);
  const outside = await runInProcess(other, ["db", "adopt"]);
  expect(outside.stderr).toContain("not in a git worktree");
  git(other.project, "init", "-q");
  git(other.project, "commit", "-q", "--allow-empty", "-m", "another");
  const nothing = await runInProcess(other, ["db", "adopt"]);
  expect(nothing.stderr).toContain("No memory shares");
  const named = await runInProcess(other, ["db", "adopt", name]);
  expect(named.stderr).toContain("no match found");
  expect((await runInProcess(other, ["db", "adopt", "nope"])).stderr).toContain("no database");
  await run(other, "db", "adopt", name, "--yes");
  expect(await run(other, "recall", "queue")).toContain("Redis");
});

it("uses one memory for a renamed folder, its work trees and a replacing clone", async () => {
  const { place, shop, name } = await project();
  git(shop.project, "worktree", "add", "-q", join(place.project, "branch"));
  const branch = at(place, join(place.project, "branch"));
  expect(await run(branch, "recall", "queue")).toContain("The queue is Redis");
  const moved = at(place, join(place.project, "far", "renamed"));
  mkdirSync(join(place.project, "far"));
  renameSync(shop.project, moved.project);
  git(moved.project, "worktree", "repair", branch.project);
  for (const folder of [moved, branch]) {
    expect(await run(folder, "recall", "queue")).toContain("The queue is Redis");
    expect(JSON.parse(await run(folder, "list", "databases", "--json")).in_use).toBe(name);
  }
  const again = await runInProcess(moved, ["db", "adopt", name]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already") });

  const clone = cloneOf(place, moved.project, "git@example.org:team/shop");
  rmSync(moved.project, { recursive: true });
  await run(clone, "db", "adopt");
  expect(await run(clone, "recall", "queue")).toContain("The queue is Redis");
});

it("asks if two memories match equally", async () => {
  const { place, shop, name } = await project();
  const second = cloneOf(place, shop.project, "https://example.org/team/shop.git");
  await run(second, "remember", "The queue is Kafka");
  const { in_use: other } = JSON.parse(await run(second, "list", "databases", "--json"));
  const third = at(place, join(place.project, "third"));
  git(place.project, "clone", "-q", shop.project, third.project);
  git(third.project, "remote", "set-url", "origin", "git@example.org:team/shop");
  for (const folder of [shop, second]) rmSync(folder.project, { recursive: true });
  const result = await runInProcess(third, ["db", "adopt"]);
  expect(result.code).not.toBe(0);
  expect(result.stderr).toContain(name);
  expect(result.stderr).toContain(other);
  expect((await runInProcess(third, ["recall", "queue"])).stdout).not.toMatch(/Redis|Kafka/);
  await run(third, "db", "adopt", other, "--yes");
  expect(await run(third, "recall", "queue")).toContain("Kafka");
});

it("ignores a folder that only links to a repository", async () => {
  const { place, shop, name } = await project();
  const archive = at(place, join(place.project, "archive"));
  mkdirSync(archive.project);
  writeFileSync(join(archive.project, ".git"), "gitdir: ../shop/.git\n");
  const { code, stderr } = await runInProcess(archive, ["db", "adopt", name, "--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("does not list this folder");
  expect(existsSync(join(shop.project, ".git", "cairn-id"))).toBe(true);
});

it("runs no programs of the repository's config", async () => {
  const { place, shop } = await project();
  const clone = cloneOf(place, shop.project, "https://example.org/team/shop.git");
  const ran = join(place.home, "ran");
  const script = join(place.home, "script.sh");
  writeFileSync(script, `#!/bin/sh\ntouch "${ran}"\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "remote.origin.uploadpack"])
    git(clone.project, "config", key, script);
  await run(clone, "remember", "One");
  await runInProcess(clone, ["db", "adopt"]);
  expect(existsSync(ran)).toBe(false);
});
