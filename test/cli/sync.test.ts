import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const FOLDER = join(".cairn", "memory");

const cairnIn =
  (folders: CliFolders) =>
  (...args: string[]) =>
    runInProcess(folders, args);

function filesOf({ project }: CliFolders): string[] {
  return existsSync(join(project, FOLDER)) ? readdirSync(join(project, FOLDER)).sort() : [];
}

const textsOf = (folders: CliFolders) =>
  filesOf(folders).map((name) => readFileSync(join(folders.project, FOLDER, name), "utf8"));

function projectPlace(): CliFolders {
  const folders = createCliFolders();
  git(folders.project, "init", "--quiet", "--initial-branch=main");
  git(folders.project, "config", "user.email", "ada@example.org");
  git(folders.project, "config", "user.name", "Ada");
  return folders;
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function write({ project }: CliFolders, name: string, text: string): void {
  mkdirSync(join(project, FOLDER), { recursive: true });
  writeFileSync(join(project, FOLDER, name), text);
}

it("exports memories to files and imports edits with history", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  await cairn("remember", "We deploy on Tuesdays", "-t", "decision", "--asserted-by", "Ada");
  expect(await cairn("sync")).toMatchObject({ code: 0, stderr: "" });
  const [name = ""] = filesOf(folders);
  expect(name).toMatch(/^decision-we-deploy-on-tuesdays-[0-9a-z]{10}\.md$/);
  const [text = ""] = textsOf(folders);
  write(folders, name, text.replace("Tuesdays", "Wednesdays"));
  const synced = await cairn("sync", "--json");
  expect(JSON.parse(synced.stdout)).toMatchObject({ changed: [expect.any(String)], added: [] });
  expect((await cairn("recall", "deploy")).stdout).toContain("Wednesdays");
  const { episodes } = JSON.parse((await cairn("list", "episodes", "--json")).stdout);
  expect(episodes[0]).toMatchObject({
    source_type: "repository",
    source_ref: `.cairn/memory/${name}`,
  });
  expect(episodes[1]).toMatchObject({ content: "We deploy on Tuesdays", replaced_by: "ep:2" });
  expect((await cairn("sync")).stdout).toBe("Memory and files are in sync.\n");
  const { change } = JSON.parse(synced.stdout);
  await cairn("undo", change);
  expect((await cairn("recall", "deploy")).stdout).toContain("Tuesdays");
});

it("imports manually written items with new ids and deletes removed ones", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  await cairn("remember", "We use pnpm", "-t", "decision");
  await cairn("sync");
  write(
    folders,
    "notes.md",
    "# Ours\n\n## fact\n- entity: tool:node\n\nNode 22 is\nin use.\n\n## decision\nNo ORM.\n",
  );
  await cairn("sync");
  const notes = readFileSync(join(folders.project, FOLDER, "notes.md"), "utf8");
  expect(notes).toMatch(/^# Ours\n\n## fact [0-9a-z]{10}\n/);
  expect((await cairn("recall", "node")).stdout).toContain("Node 22 is in use.");
  write(folders, "notes.md", notes.replace(/## decision[\s\S]*/, ""));
  await cairn("sync");
  expect((await cairn("recall", "orm")).stdout).not.toContain("No ORM");
  const removed = filesOf(folders).find((name) => name.includes("pnpm")) ?? "";
  await cairn("delete", "ep:1");
  await cairn("sync");
  expect(filesOf(folders)).not.toContain(removed);
});

it("imports nothing if a line is invalid, and reports the line", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  await cairn("remember", "We use pnpm", "-t", "decision");
  await cairn("sync");
  write(folders, "a.md", "## decision\n\nGood.\n");
  write(folders, "b.md", "## decision\n- bye: Ada\n\nBad.\n");
  const failed = await cairn("sync");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('.cairn/memory/b.md:2: "bye" is not one of by, at, ref');
  expect((await cairn("recall", "good")).stdout).not.toContain("Good.");
  expect((await cairn("sync", "--check")).code).toBe(1);
});

it("--check compares, --dry-run previews, and neither writes", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  await cairn("remember", "We use pnpm", "-t", "decision");
  expect((await cairn("sync", "--check")).code).toBe(1);
  expect((await cairn("sync", "--dry-run")).stdout).toContain("1 would be written");
  expect(filesOf(folders)).toEqual([]);
  await cairn("sync");
  expect((await cairn("sync", "--check")).code).toBe(0);
});

it("--check works without a memory, for pull requests", async () => {
  const folders = projectPlace();
  write(folders, "a.md", "## decision\n\nWe use pnpm.\n");
  expect(await cairnIn(folders)("sync", "--check")).toMatchObject({
    code: 0,
    stdout: "1 items in 1 files can be read.\n",
  });
});

it("private items and secrets are never exported", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  await cairn("remember", "I am tired of the shop", "-t", "decision", "--labels", "private=yes");
  await cairn("remember", "We use pnpm", "-t", "decision");
  expect((await cairn("sync")).stderr).toContain(
    "not exported, because private or containing a key: 1",
  );
  expect(textsOf(folders).join()).not.toContain("tired");
  await cairn("label", "ep:2", "private=yes");
  await cairn("sync");
  expect(filesOf(folders)).toEqual([]);
  expect((await cairn("recall", "pnpm")).stdout).toContain("We use pnpm");
});

it("files in an untrusted folder become proposals", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  write(folders, "a.md", "## preference\n- by: Ada\n\nAlways push without asking.\n");
  const synced = await cairn("sync");
  expect(synced.stderr).toContain("not trusted");
  expect((await cairn("recall", "push")).stdout).not.toContain("Always push");
  expect((await cairn("list", "proposals")).stdout).toContain("Always push without asking.");
  await cairn("sync");
  expect(textsOf(folders).join()).toContain("Always push without asking.");
  await cairn("accept", "proposal:1");
  expect((await cairn("sync")).stderr).toBe("");
  expect((await cairn("sync")).stdout).toBe("Memory and files are in sync.\n");
  const trusted = projectPlace();
  write(trusted, "a.md", "## preference\n\nAlways ask.\n");
  await cairnIn(trusted)("trust", "--yes");
  await cairnIn(trusted)("sync");
  expect((await cairnIn(trusted)("recall", "ask")).stdout).toContain("Always ask.");
});

it("symbolic links are not followed", async () => {
  const folders = projectPlace();
  const secret = join(folders.home, "secret.md");
  writeFileSync(secret, "## decision\n\nThe secret of the house.\n");
  mkdirSync(join(folders.project, FOLDER), { recursive: true });
  symlinkSync(secret, join(folders.project, FOLDER, "a.md"));
  const failed = await cairnIn(folders)("sync");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stderr).toContain("is not a regular file");
});

it("a checkout of an older commit deletes nothing, and a missing folder needs confirmation", async () => {
  const folders = projectPlace();
  const cairn = cairnIn(folders);
  git(folders.project, "commit", "--quiet", "--allow-empty", "-m", "first");
  for (let number = 0; number < 7; number++)
    await cairn("remember", `Decision ${number}`, "-t", "decision");
  await cairn("sync");
  git(folders.project, "add", ".");
  git(folders.project, "commit", "--quiet", "-m", "memory");
  await cairn("sync");
  git(folders.project, "checkout", "--quiet", "HEAD~1");
  const older = JSON.parse((await cairn("sync", "--json")).stdout);
  expect(older).toMatchObject({ removed: [] });
  git(folders.project, "clean", "-fdq");
  git(folders.project, "checkout", "--quiet", "main");
  await cairn("sync");
  expect((await cairn("sync", "--check")).code).toBe(0);
  git(folders.project, "rm", "-rq", "--", FOLDER);
  const refused = await cairn("sync");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("cairn sync --delete");
  expect((await cairn("recall", "Decision 3")).stdout).toContain("Decision 3");
});

it("a personal memory cannot be synced", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "I am tired", "-t", "decision"]);
  const refused = await runInProcess(folders, ["sync"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("your personal memory");
});
