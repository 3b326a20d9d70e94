import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { changesOfCopy, diffOfChange } from "../../../src/agent/copies/copy-changes.ts";
import { findCopy, listCopies } from "../../../src/agent/copies/copy-place.ts";
import { discardCopy } from "../../../src/agent/copies/discard-copy.ts";
import { makeCopy } from "../../../src/agent/copies/make-copy.ts";
import { mergeCopy } from "../../../src/agent/copies/merge-copy.ts";
import { type MergeWish, planMerge } from "../../../src/agent/copies/plan-merge.ts";
import { systemClock } from "../../../src/shared/clock.ts";

let root: string;
let project: string;
let dataDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-copies-"));
  project = join(root, "shop");
  dataDir = join(root, "data");
  mkdirSync(project);
  onTestFinished(() => {
    execFileSync("chmod", ["-R", "u+rwX", root]);
    rmSync(root, { recursive: true, force: true });
  });
});

const write = (folder: string, path: string, content: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");
const git = (folder: string, ...args: string[]) =>
  execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const copyNamed = (name: string) => makeCopy({ project, dataDir, name, clock: systemClock });
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const lines = (changed: Record<number, string> = {}) =>
  `${LINES.map((line, index) => changed[index + 1] ?? line).join("\n")}\n`;

/** A repository with something committed, changed, new and ignored in it. */
function repository() {
  git(project, "init", "-q", "-b", "main");
  git(project, "config", "user.name", "Ada");
  git(project, "config", "user.email", "ada@example.com");
  write(project, "src/pay.ts", lines());
  write(project, "run.sh", "#!/bin/sh\n");
  chmodSync(join(project, "run.sh"), 0o755);
  write(project, ".gitignore", "node_modules\n*.log\n");
  git(project, "add", "-A");
  git(project, "commit", "-qm", "Begin");
  write(project, "src/pay.ts", lines({ 1: "line 1, not committed" }));
  write(project, "notes.md", "not tracked\n");
  write(project, "node_modules/lib/index.js", "lib\n");
  write(project, "debug.log", "ignored\n");
}

/** Every file and link below a folder with what it holds. */
function everything(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    const whole = join(folder, path);
    if (entry.isDirectory()) Object.assign(found, everything(folder, path));
    else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(whole)}`;
    else found[path] = `${lstatSync(whole).mode & 0o111} ${readFileSync(whole, "latin1")}`;
  }
  return found;
}

async function merge(name: string, wish: MergeWish = {}) {
  const copy = findCopy(dataDir, project, name);
  mergeCopy(copy, await planMerge(copy, wish));
}

describe("a copy of a project", () => {
  it("has what is not committed, a branch of its own and its dependencies, and nothing ignored", async () => {
    repository();
    const { tree } = await copyNamed("try");
    expect(read(tree, "src/pay.ts")).toBe(lines({ 1: "line 1, not committed" }));
    expect(read(tree, "notes.md")).toBe("not tracked\n");
    expect(read(tree, "node_modules/lib/index.js")).toBe("lib\n");
    expect(existsSync(join(tree, "debug.log"))).toBe(false);
    expect(lstatSync(join(tree, "run.sh")).mode & 0o111).not.toBe(0);
    expect(git(tree, "symbolic-ref", "--short", "HEAD").trim()).toBe("cairn/try");
    expect(git(tree, "log", "--format=%s").trim()).toBe("Begin");
    expect(git(tree, "status", "--porcelain").trim().split("\n")).toEqual([
      "M src/pay.ts",
      "?? notes.md",
    ]);
    expect(git(tree, "config", "user.email").trim()).toBe("ada@example.com");
  });

  it("leaves the project as it is, whatever is done in it, and nothing when it is thrown away", async () => {
    repository();
    const before = everything(project);
    const copy = await copyNamed("try");
    write(copy.tree, "src/pay.ts", "all is lost\n");
    write(copy.tree, "node_modules/lib/index.js", "poisoned\n");
    rmSync(join(copy.tree, "notes.md"));
    git(copy.tree, "add", "-A");
    git(copy.tree, "commit", "-qm", "Work");
    git(copy.tree, "config", "core.hooksPath", "/tmp/evil");
    write(copy.tree, ".git/hooks/post-checkout", "#!/bin/sh\ntouch evil\n");
    mkdirSync(join(copy.tree, "closed/inside"), { recursive: true });
    chmodSync(join(copy.tree, "closed"), 0o500);
    expect(everything(project)).toEqual(before);
    discardCopy(copy);
    expect(everything(project)).toEqual(before);
    expect(listCopies(dataDir, project)).toEqual([]);
    expect(existsSync(copy.folder)).toBe(false);
  });

  it("runs nothing that the repository names: no hook, no filter, no watcher, in no step", async () => {
    repository();
    const evil = join(root, "evil");
    const run = `sh -c 'touch ${evil}; cat'`;
    for (const name of [
      "post-checkout",
      "post-index-change",
      "pre-commit",
      "reference-transaction",
    ]) {
      write(project, `.git/hooks/${name}`, `#!/bin/sh\ntouch ${evil}\n`);
      chmodSync(join(project, ".git/hooks", name), 0o755);
    }
    git(project, "config", "filter.evil.clean", run);
    git(project, "config", "filter.evil.smudge", run);
    git(project, "config", "filter.evil.process", run);
    git(project, "config", "core.fsmonitor", `${evil}.sh`);
    write(root, "evil.sh", `#!/bin/sh\ntouch ${evil}\n`);
    chmodSync(join(root, "evil.sh"), 0o755);
    write(project, ".gitattributes", "* filter=evil diff=evil merge=evil\n");
    git(project, "config", "diff.evil.textconv", run);
    git(project, "config", "merge.evil.driver", run);
    rmSync(evil, { force: true });
    const copy = await copyNamed("try");
    write(copy.tree, "src/pay.ts", lines({ 1: "line 1, not committed", 20: "in the copy" }));
    write(project, "src/pay.ts", lines({ 1: "line 1, not committed", 38: "in the project" }));
    await merge("try");
    discardCopy(copy);
    expect(existsSync(evil)).toBe(false);
    expect(read(project, "src/pay.ts")).toBe(
      lines({ 1: "line 1, not committed", 20: "in the copy", 38: "in the project" }),
    );
  });

  it("is merged: changed, added and removed files, links and rights, as changes that are not committed", async () => {
    repository();
    const { tree } = await copyNamed("try");
    write(tree, "src/pay.ts", lines({ 20: "better" }));
    write(tree, "src/deep/new.ts", "new\n");
    rmSync(join(tree, "run.sh"));
    symlinkSync("pay.ts", join(tree, "src/link.ts"));
    chmodSync(join(tree, "notes.md"), 0o755);
    await merge("try");
    expect(read(project, "src/pay.ts")).toBe(lines({ 20: "better" }));
    expect(read(project, "src/deep/new.ts")).toBe("new\n");
    expect(existsSync(join(project, "run.sh"))).toBe(false);
    expect(readlinkSync(join(project, "src/link.ts"))).toBe("pay.ts");
    expect(lstatSync(join(project, "notes.md")).mode & 0o100).not.toBe(0);
    expect(read(project, "debug.log")).toBe("ignored\n");
    expect(git(project, "log", "--format=%s").trim()).toBe("Begin");
  });

  it("leaves files and pieces of files out", async () => {
    repository();
    const { tree } = await copyNamed("try");
    write(tree, "src/pay.ts", lines({ 1: "one", 20: "twenty", 39: "thirty-nine" }));
    write(tree, "src/other.ts", "other\n");
    await merge("try", { leave: ["src/pay.ts:2", "src/other.ts"] });
    expect(read(project, "src/pay.ts")).toBe(lines({ 1: "one", 39: "thirty-nine" }));
    expect(existsSync(join(project, "src/other.ts"))).toBe(false);
    // What was left out is still in the copy, and can follow.
    await merge("try", { only: ["src/other.ts"] });
    expect(read(project, "src/other.ts")).toBe("other\n");
    await expect(merge("try", { leave: ["nothing.ts"] })).rejects.toThrow("changes nothing there");
    await expect(merge("try", { leave: ["src/pay.ts:9"] })).rejects.toThrow("has 3 pieces");
  });

  it("tells conflicts, and writes nothing then", async () => {
    repository();
    const { tree } = await copyNamed("try");
    write(tree, "src/pay.ts", lines({ 20: "in the copy" }));
    write(tree, "fine.ts", "fine\n");
    rmSync(join(tree, "run.sh"));
    write(project, "src/pay.ts", lines({ 20: "in the project" }));
    write(project, "run.sh", "#!/bin/sh\necho changed\n");
    const before = everything(project);
    await expect(merge("try")).rejects.toThrow(
      /run\.sh: it was removed in the copy and changed in the project\nsrc\/pay\.ts: the same lines/,
    );
    expect(everything(project)).toEqual(before);
    await merge("try", { leave: ["src/pay.ts", "run.sh"] });
    expect(read(project, "fine.ts")).toBe("fine\n");
    expect(read(project, "src/pay.ts")).toBe(lines({ 20: "in the project" }));
  });

  it("writes through no link that stands in the project, and out of no copy", async () => {
    repository();
    const outside = join(root, "outside");
    mkdirSync(outside);
    const { tree } = await copyNamed("try");
    write(tree, "lib/a.ts", "from the copy\n");
    rmSync(join(project, "lib"), { recursive: true, force: true });
    symlinkSync(outside, join(project, "lib"));
    await expect(merge("try")).rejects.toThrow("stands in its way");
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(project, "lib"));
    rmSync(join(tree, "lib"), { recursive: true });
    // A folder of the copy that became a link to elsewhere is a link, and nothing behind it.
    rmSync(join(tree, "src"), { recursive: true });
    symlinkSync("/etc", join(tree, "src"));
    const changes = await changesOfCopy(findCopy(dataDir, project, "try"));
    expect(changes.map(({ path }) => path).filter((path) => path.startsWith("src/"))).toEqual([
      "src/pay.ts",
    ]);
    expect(changes.find(({ path }) => path === "src")?.copy).toEqual({
      kind: "link",
      target: "/etc",
    });
    await merge("try");
    expect(readlinkSync(join(project, "src"))).toBe("/etc");
  });

  it("works without git, and several times at once", async () => {
    write(project, "a.txt", "a\n");
    write(project, "node_modules/lib/index.js", "lib\n");
    const [first, second] = await Promise.all([copyNamed("one"), copyNamed("two")]);
    write(first.tree, "a.txt", "first\n");
    write(second.tree, "b.txt", "second\n");
    expect(
      listCopies(dataDir, project)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["one", "two"]);
    await merge("one");
    await merge("two");
    expect([read(project, "a.txt"), read(project, "b.txt")]).toEqual(["first\n", "second\n"]);
    expect(read(first.tree, "node_modules/lib/index.js")).toBe("lib\n");
  });

  it("refuses a name that leads elsewhere, one that is taken, and a project that holds the copies", async () => {
    write(project, "a.txt", "a\n");
    await copyNamed("one");
    await expect(copyNamed("one")).rejects.toThrow('a copy "one" already');
    for (const name of ["../x", "", "a/b", ".", "a b"]) {
      await expect(copyNamed(name)).rejects.toThrow("a name is 1 to 40 letters");
    }
    expect(() => findCopy(dataDir, project, "oen")).toThrow("one");
    await expect(
      makeCopy({ project: root, dataDir, name: "x", clock: systemClock }),
    ).rejects.toThrow("holds the place where copies are kept");
  });

  it("shows what was done as a diff", async () => {
    repository();
    const { tree } = await copyNamed("try");
    write(tree, "src/pay.ts", lines({ 1: "line 1, not committed", 20: "better" }));
    writeFileSync(join(tree, "picture.png"), Buffer.from([0, 1, 2]));
    const changes = await changesOfCopy(findCopy(dataDir, project, "try"));
    expect(changes.map(diffOfChange).join("")).toBe(
      [
        "added picture.png (3 bytes, no text)",
        "--- a/src/pay.ts",
        "+++ b/src/pay.ts",
        "@@ -17,7 +17,7 @@",
        " line 17",
        " line 18",
        " line 19",
        "-line 20",
        "+better",
        " line 21",
        " line 22",
        " line 23",
        "",
      ].join("\n"),
    );
  });

  it("brings exactly what was done in it where the project stayed as it was", async () => {
    const path = fc.constantFrom("a", "b", "dir/c", "dir/deep/d", "e.bin");
    const content = fc.oneof(fc.string(), fc.constantFrom("", "x\n", "x\ny\n", "\0\u0001"));
    const files = fc.dictionary(path, content, { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(files, files, fc.boolean(), async (before, after, isInGit) => {
        rmSync(project, { recursive: true, force: true });
        rmSync(`${dataDir}-copies`, { recursive: true, force: true });
        mkdirSync(project);
        if (isInGit) git(project, "init", "-q");
        for (const [name, text] of Object.entries(before)) write(project, name, text);
        const { tree } = await copyNamed("p");
        for (const name of Object.keys(before)) rmSync(join(tree, name));
        for (const [name, text] of Object.entries(after)) write(tree, name, text);
        await merge("p");
        const held = Object.keys(everything(project)).filter((name) => !name.startsWith(".git/"));
        expect(held.sort()).toEqual(Object.keys(after).sort());
        for (const [name, text] of Object.entries(after)) expect(read(project, name)).toBe(text);
      }),
      { numRuns: 25 },
    );
  });
});
