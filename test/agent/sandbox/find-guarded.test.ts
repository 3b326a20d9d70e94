import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findGuarded } from "../../../src/agent/sandbox/find-guarded.ts";
import { ProjectGuard } from "../../../src/agent/sandbox/project-guard.ts";

async function project(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "cairn-guarded-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

it("reports more folders than the scan limit, without counting package folders", async () => {
  const root = await project();
  for (let at = 0; at < 30; at += 1) await mkdir(join(root, `f${at}`));
  expect((await findGuarded({ root, mostFolders: 20 })).isPartly).toBe(true);
  expect((await findGuarded({ root, mostFolders: 40 })).isPartly).toBe(false);
  for (let at = 0; at < 60; at += 1) {
    await mkdir(join(root, `node_modules/p${at}`), { recursive: true });
  }
  expect((await findGuarded({ root, mostFolders: 40 })).isPartly).toBe(false);
});

it("runs no command if the scan is incomplete", async () => {
  const root = await project();
  for (let at = 0; at < 30; at += 1) await mkdir(join(root, `f${at}`));
  const guard = new ProjectGuard(
    { root, asideFolder: join(root, "../aside"), mostFolders: 20 },
    () => undefined,
    () => undefined,
  );
  await expect(guard.before()).rejects.toThrowError(/too many folders to check/);
});

it("a repository behind many folders is found, names of the table at any depth, none in packages", {
  tags: ["long"],
  timeout: 120_000,
}, async () => {
  const root = await project();
  for (let at = 0; at < 21_000; at += 1) await mkdir(join(root, `f${at}`));
  for (const path of ["z/sub/.git/objects", "z/sub/.git/refs", "node_modules/p"]) {
    await mkdir(join(root, path), { recursive: true });
  }
  await writeFile(join(root, "z/sub/.git/HEAD"), "");
  await writeFile(join(root, "z/sub/.npmrc"), "");
  await writeFile(join(root, "node_modules/p/.npmrc"), "");
  const found = await findGuarded({ root });
  expect(found.folders).toEqual([join(root, "z/sub/.git")]);
  expect(found.named).toEqual([join(root, "z/sub/.npmrc")]);
});
