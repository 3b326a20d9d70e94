// @module-tag long: runs builds in a sandbox.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findSandboxProblem, openSandboxBench } from "../support/sandbox-bench.ts";

const reason = await findSandboxProblem();
const isInstalled = (program: string) =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const FILES: Readonly<Record<string, string>> = {
  "go/go.mod": "module example.org/x\n\ngo 1.20\n",
  "go/main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("made by go") }\n',
  "go/main_test.go": 'package main\n\nimport "testing"\n\nfunc TestMain1(t *testing.T) {}\n',
  "npm/package.json": '{"name":"x","version":"1.0.0","scripts":{"test":"node -e 1"}}',
  "npm/dep/package.json": '{"name":"dep","version":"1.0.0"}',
  "pip/setup.py": "raise SystemExit('not run')\n",
  "cargo/Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
  "cargo/src/main.rs": 'fn main() { println!("made by cargo"); }\n\n#[test]\nfn works() {}\n',
  "make/Makefile": "all: x.o\nx.o: x.c\n\tcc -c x.c\n",
  "make/x.c": "int main(void) { return 0; }\n",
  "cmake/CMakeLists.txt":
    "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\nadd_executable(x x.c)\nadd_test(NAME x COMMAND x)\n",
  "cmake/x.c": "int main(void) { return 0; }\n",
  "mvn/pom.xml":
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging></project>',
};

async function writeFiles(project: string): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
  }
}

const WHEEL = [
  "import zipfile",
  "z = zipfile.ZipFile('dep-1.0-py3-none-any.whl', 'w')",
  "z.writestr('dep.py', 'x = 1')",
  "z.writestr('dep-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: dep\\nVersion: 1.0\\n')",
  "z.writestr('dep-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')",
  "z.writestr('dep-1.0.dist-info/RECORD', '')",
  "z.close()",
].join("\n");

const TOOLCHAINS = {
  go: "export GOTOOLCHAIN=local; go build -o x . && go test ./...",
  npm: "npm pack ./dep --silent && npm install ./dep-1.0.0.tgz --no-audit --no-fund && npm test",
  pip: `python3 -c "${WHEEL.replaceAll("\n", "; ")}" && python3 -m venv .venv && .venv/bin/pip install -q --no-index ./dep-1.0-py3-none-any.whl && .venv/bin/python -c "import dep"`,
  cargo: "cargo build --offline && cargo test --offline",
  make: "make",
  cmake: "cmake -B build . && cmake --build build && ctest --test-dir build",
  mvn: "mvn -o -q validate",
};

describe("in the sandbox", () => {
  for (const [program, command] of Object.entries(TOOLCHAINS)) {
    test.skipIf(reason !== undefined || !isInstalled(program))(
      `${program} builds, tests and installs, and writes no cache of the user's`,
      async () => {
        const bench = await openSandboxBench({ prepare: writeFiles });
        const output = await bench.run(`cd ${program} && ${command} && echo "all is $((40+2))"`);
        expect(output).toContain("all is 42");
        expect(output).not.toMatch(/read-only file system|EROFS/i);
      },
      720_000,
    );
  }

  test.skipIf(reason !== undefined).each(["clone", "linked worktree", "submodule"])(
    "runs git commit, branch, stash and rebase in a %s, without access to others' files",
    async (kind) => {
      const bench = await openSandboxBench({ prepare: (project) => createProject(project, kind) });
      const { outer, folder } = JSON.parse(
        readFileSync(join(bench.folder, "laid-out.json"), "utf8"),
      ) as Record<"outer" | "folder", string>;
      const config = readFileSync(join(folder, "config"), "utf8");
      const output = await bench.run(WORK);
      expect(output).toContain("all is 42");
      const evil = await bench.run(EVIL);
      expect(evil).toContain("end");
      expect(readFileSync(join(folder, "config"), "utf8")).toBe(config);
      expect(existsSync(join(folder, "hooks/post-checkout"))).toBe(false);
      expect(existsSync(join(folder, "commondir"))).toBe(false);
      expect(git(bench.project, "log", "--oneline", "-1")).toContain("work");
      if (kind === "clone") return;
      expect(git(outer, "status", "--short", "-uno", "--ignore-submodules")).toBe("");
    },
    180_000,
  );
});

const WORK = [
  "set -e",
  "git config --get user.name",
  "echo 1 > n && git add n && git commit -qm work",
  "git switch -q -c other && echo 2 > n && git commit -qam second",
  "echo 3 > n && git stash -q && git stash pop -q && git checkout -q n",
  "git switch -q - && git rebase -q other && git branch -d other && git reset -q --hard HEAD~1",
  "git gc -q",
  'echo "all is $((40+2))"',
].join("\n");

/**
 * Attempts to change hooks and config that would run outside the sandbox, in the repository and
 * its superproject.
 */
const EVIL = [
  "common=$(git rev-parse --path-format=absolute --git-common-dir)",
  "git config core.fsmonitor ./evil; echo '[core]' >> $common/config; rm -f $common/config",
  "echo evil > $common/hooks/post-checkout; echo ../evil > $common/commondir",
  "rm -rf $common/hooks; for one in $common/worktrees/*; do echo evil > $one/config.worktree; done",
  "echo end",
].join("\n");

function git(cwd: string, ...words: readonly string[]): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...words], {
    cwd,
    encoding: "utf8",
  });
}

/**
 * Creates the project as a clone, worktree or submodule. Writes the paths of its repository and
 * git folder to `laid-out.json`.
 */
async function createProject(project: string, kind: string): Promise<void> {
  const folder = dirname(project);
  const outer = { clone: project, submodule: folder }[kind] ?? join(folder, "outer");
  await mkdir(outer, { recursive: true });
  git(outer, "init", "-q", "-b", "main");
  const commit = (cwd: string) => {
    git(cwd, "config", "user.name", "n");
    git(cwd, "config", "user.email", "n@example.org");
    git(cwd, "commit", "-q", "--allow-empty", "-m", "first");
  };
  commit(outer);
  let gitFolder = join(outer, ".git");
  if (kind === "linked worktree") {
    git(outer, "worktree", "add", "-q", "-b", "wt", project);
  } else if (kind === "submodule") {
    git(folder, "init", "-q", "-b", "main", "lib");
    commit(join(folder, "lib"));
    await rm(project, { recursive: true });
    git(outer, "submodule", "--quiet", "add", join(folder, "lib"), "project");
    git(outer, "commit", "-q", "-m", "submodule");
    gitFolder = join(outer, ".git/modules/project");
    git(project, "config", "user.name", "n");
    git(project, "config", "user.email", "n@example.org");
  }
  await writeFile(join(folder, "laid-out.json"), JSON.stringify({ outer, folder: gitFolder }));
}
