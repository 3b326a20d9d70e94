import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  isHarmlessRepository,
  linkedRepositories,
} from "../../../src/agent/permission/repository-config.ts";
import { createReadEnvironment } from "../../../src/agent/processes/process-table.ts";

/**
 * Creates a repository with a gitlink to `vendor/lib`, which has a gitlink to `vendor/lib/deep`.
 */
function createNestedRepositories(...init: string[]) {
  const root = mkdtempSync(join(tmpdir(), "cairn-linked-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const git = (folder: string, ...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], {
      cwd: join(root, folder),
      stdio: "pipe",
      encoding: "utf8",
      env: createReadEnvironment({ PATH: process.env.PATH ?? "", HOME: root }),
    });
  for (const folder of ["vendor/lib/deep", "vendor/lib", "."]) {
    mkdirSync(join(root, folder), { recursive: true });
    git(folder, "init", "-q", ...init);
    writeFileSync(join(root, folder, "a.txt"), "a\n");
    writeFileSync(join(root, folder, "a-name-that-is-rather-longer.txt"), "a\n");
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "first");
  }
  return { root, git };
}

it.each(["2", "3", "4"])("are found in an index of version %s", (version) => {
  const { root, git } = createNestedRepositories();
  git(".", "update-index", "--index-version", version === "3" ? "2" : version);
  // An intent-to-add entry makes git write index version 3.
  if (version === "3") {
    writeFileSync(join(root, "new.txt"), "");
    git(".", "add", "-N", "new.txt");
  }
  const index = readFileSync(join(root, ".git/index"));
  expect(index.readUInt32BE(4)).toBe(Number(version));
  expect(linkedRepositories(index)).toEqual(["vendor/lib"]);
});

it("are found with longer object ids", () => {
  const { root } = createNestedRepositories("--object-format=sha256");
  const index = readFileSync(join(root, ".git/index"));
  expect(linkedRepositories(index, 32)).toEqual(["vendor/lib"]);
  expect(isHarmlessRepository(root)).toBe(true);
});

it("are unknown in a split, truncated or invalid index", () => {
  const { root, git } = createNestedRepositories();
  const whole = readFileSync(join(root, ".git/index"));
  expect(linkedRepositories(whole.subarray(0, 150))).toBeUndefined();
  expect(linkedRepositories(Buffer.from("something else"))).toBeUndefined();
  git(".", "update-index", "--split-index");
  expect(linkedRepositories(readFileSync(join(root, ".git/index")))).toBeUndefined();
});

it.each(["vendor/lib", "vendor/lib/deep"])(
  "make reading prompt if their config names a program: %s",
  (folder) => {
    const { root, git } = createNestedRepositories();
    expect(isHarmlessRepository(root)).toBe(true);
    expect(isHarmlessRepository(join(root, "vendor"))).toBe(true);
    writeFileSync(join(root, "evil.sh"), `#!/bin/sh\ntouch ${root}/ran\ncat\n`, { mode: 0o755 });
    git(folder, "config", "filter.evil.clean", join(root, "evil.sh"));
    writeFileSync(join(root, folder, ".gitattributes"), "*.txt filter=evil\n");
    writeFileSync(join(root, folder, "a.txt"), "b\n");
    expect(isHarmlessRepository(root)).toBe(false);
    expect(isHarmlessRepository(join(root, "vendor"))).toBe(false);
    // Confirms that `git status` would run the filter.
    git(".", "status");
    expect(existsSync(join(root, "ran"))).toBe(true);
  },
);

it("may be stored like submodules", () => {
  const { root, git } = createNestedRepositories();
  mkdirSync(join(root, ".git/modules"));
  renameSync(join(root, "vendor/lib/.git"), join(root, ".git/modules/lib"));
  writeFileSync(join(root, "vendor/lib/.git"), "gitdir: ../../.git/modules/lib\n");
  git("vendor/lib", "config", "core.worktree", "../../../vendor/lib");
  expect(isHarmlessRepository(root)).toBe(true);
  expect(isHarmlessRepository(join(root, "vendor/lib"))).toBe(true);
  git("vendor/lib", "config", "core.worktree", "/");
  expect(isHarmlessRepository(root)).toBe(false);
});

/** Creates another repository, and a project whose folder `sub` can point to it. */
function createNeighborRepository() {
  const { root: project, git } = createNestedRepositories();
  const secret = mkdtempSync(join(tmpdir(), "cairn-secret-"));
  onTestFinished(() => rmSync(secret, { recursive: true, force: true, maxRetries: 5 }));
  execFileSync("git", ["init", "-q"], { cwd: secret });
  const own = ["-c", "user.name=n", "-c", "user.email=e"];
  execFileSync("git", [...own, "commit", "-qm", "SECRET", "--allow-empty"], { cwd: secret });
  const sub = join(project, "sub");
  mkdirSync(sub);
  return { project, secret: join(secret, ".git"), sub, git };
}

it.each<readonly [string, (fixture: ReturnType<typeof createNeighborRepository>) => void]>([
  ["a file", ({ sub, secret }) => writeFileSync(join(sub, ".git"), `gitdir: ${secret}\n`)],
  [
    "a file that names it by the way",
    ({ sub, secret }) => writeFileSync(join(sub, ".git"), `gitdir: ${relative(sub, secret)}\n`),
  ],
  [
    "what looks like a worktree of it",
    ({ project, sub, secret }) => {
      const made = join(project, "made");
      mkdirSync(made);
      writeFileSync(join(sub, ".git"), `gitdir: ${made}\n`);
      writeFileSync(join(made, "gitdir"), `${join(sub, ".git")}\n`);
      writeFileSync(join(made, "commondir"), `${secret}\n`);
      writeFileSync(join(made, "HEAD"), readFileSync(join(secret, "HEAD")));
    },
  ],
  [
    "a common folder named in a folder of its own",
    ({ sub, secret }) => {
      execFileSync("git", ["init", "-q"], { cwd: sub });
      writeFileSync(join(sub, ".git/commondir"), `${secret}\n`);
    },
  ],
  ...["objects", "refs", "HEAD", "packed-refs", "logs", "shallow"].map(
    (name) =>
      [
        `a link in the place of ${name}`,
        ({ sub, secret }: ReturnType<typeof createNeighborRepository>) => {
          execFileSync("git", ["init", "-q"], { cwd: sub });
          rmSync(join(sub, ".git", name), { recursive: true, force: true });
          symlinkSync(join(secret, name), join(sub, ".git", name));
        },
      ] as const,
  ),
])("prompts before reading a folder that links to another repository by %s", (_by, lead) => {
  const fixture = createNeighborRepository();
  lead(fixture);
  expect(isHarmlessRepository(fixture.sub)).toBe(false);
  expect(isHarmlessRepository(fixture.project)).toBe(true);
});

it("reads a worktree that its repository lists", () => {
  const { project, git } = createNeighborRepository();
  const tree = join(project, "../", `${basename(project)}-tree`);
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  git(".", "worktree", "add", "-q", tree);
  expect(isHarmlessRepository(tree)).toBe(true);
  git(".", "worktree", "add", "-q", join(project, "inner"));
  expect(isHarmlessRepository(join(project, "inner"))).toBe(true);
});
