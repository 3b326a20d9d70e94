// @module-tag long: runs every command of the tables.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Permission } from "../../../src/agent/permission/permission.ts";
import type { PermissionMode } from "../../../src/agent/ports/permission-mode.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import { openSandbox } from "../../../src/agent/sandbox/open-sandbox.ts";
import { ProjectPaths } from "../../../src/agent/tools/project-paths.ts";
import { shellTool } from "../../../src/agent/tools/shell.ts";
import {
  ESCAPE_COMMANDS,
  HIDDEN,
  READ_COMMANDS,
  RUN_COMMANDS,
  WRITING,
} from "../support/matrix-commands.ts";
import { findSandboxProblem } from "../support/sandbox-bench.ts";

const SECRET = "SECRET-of-the-person";
const EVIL = '#!/bin/sh\necho changed > precious.txt\necho ran > ran.txt\necho ran > "$HOME/ran"\n';

/**
 * Programs that leave a trace. Some run only if a shell parses a path, a variable or the end of a
 * here-document differently.
 */
const PROGRAMS = [
  ...["evil.sh", "configure", "git", "tool", "trap/evil.sh"],
  ...["0/ls", "0/git", "x+=./evil.sh", "x[0]=./evil.sh"],
];

/** Creates a home folder with credentials and a project with commands that try to read them. */
async function createProject() {
  const home = await realpath(await mkdtemp(join(homedir(), ".cairn-matrix-")));
  const project = join(home, "project");
  const evil = (name: string) => writeFile(join(project, name), EVIL, { mode: 0o755 });
  await mkdir(join(home, ".ssh"));
  await writeFile(join(home, ".ssh/id_rsa"), `${SECRET}\n`);
  for (const folder of ["src", "docs", "xdg/git", "trap", "0", "x+=.", "x[0]=.", "x:"]) {
    await mkdir(join(project, folder), { recursive: true });
  }
  for (const name of PROGRAMS) await evil(name);
  const monitored = "[core]\n\tfsmonitor = ./evil.sh\n\tpager = ./evil.sh\n";
  const files = {
    "a.txt": "x y\nprecious\n",
    "b.txt": "other\n",
    "precious.txt": "precious\n",
    "src/a.ts": "export const a = 1;\n",
    ".gitconfig": monitored,
    "xdg/git/config": monitored,
    "0/.gitconfig": monitored,
    "x:/a.txt": "",
    rgconf: "--pre=./evil.sh\n",
    "trap/--pre=.evil.sh": "",
    "package.json": '{"scripts":{"evil":"./evil.sh","test":"./evil.sh"}}',
    Makefile: "all:\n\t./evil.sh\n",
    ".yarnrc": 'yarn-path "./evil.sh"\n',
    list: "../.ssh/id_rsa\n",
    list0: "../.ssh/id_rsa\0",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  await symlink("../../.ssh/id_rsa", join(project, "docs/id_rsa"));
  await symlink("../../.ssh/authorized_keys", join(project, "docs/authorized_keys"));
  await symlink("../..", join(project, "docs/home"));
  await symlink("../../.ssh", join(project, "docs/sub"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...words], { cwd: project });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  git("init", "-q", "--bare", "bare");
  git("push", "-q", "bare", "HEAD:refs/heads/main");
  await writeFile(join(project, "bare/config"), `${monitored}\tbare = false\n\tworktree = ..\n`);
  await chmod(join(project, "evil.sh"), 0o755);
  return { home, project };
}

async function fingerprint(folder: string, without?: string): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (path === without) continue;
    const info = await lstat(path);
    hash.update(`${name} ${info.mode}\n`);
    if (info.isFile()) hash.update(await readFile(path));
    if (info.isSymbolicLink()) hash.update(await readlink(path));
    if (info.isDirectory()) hash.update(await fingerprint(path, without));
  }
  return hash.digest("hex");
}

/** Opens a permission gate and a sandbox where no user can be prompted. */
async function startBench(mode: PermissionMode, ground: Ground) {
  const isConfined = ground !== "none";
  const { home, project: origin } = await createProject();
  vi.stubEnv("HOME", home);
  const dataDir = join(home, ".local/share/cairn");
  const project = origin;
  const environment = { PATH: process.env.PATH ?? "", HOME: home };
  const places = {
    projectRoot: project,
    userConfigDir: join(home, ".config/cairn"),
    dataDir,
  };
  const setting = isConfined ? "required" : "off";
  const sandbox = await openSandbox({
    ...{ ...places, setting, permissionRules: [] },
    environment,
  });
  const table = { name: `matrix${process.pid}`, cwd: project, environment, guard: new ExitGuard() };
  const processes = new ProcessTable({ ...table, wrap: sandbox.wrap });
  const paths = new ProjectPaths({ ...places, allowOutsideProject: false });
  const permission = new Permission({
    ...places,
    mode,
    rules: [],
    isServer: false,
    paths,
    path: environment.PATH,
  });
  permission.settleMode(isConfined);
  onTestFinished(async () => {
    await processes.killAll();
    await sandbox.close();
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  const gate = permission.gate({ threadId: "t", knownFiles: new Set() });
  return {
    ...{ home, origin, project },
    /** Returns the output, or undefined if the command was denied or would prompt. */
    async run(command: string): Promise<string | undefined> {
      const input = { command, timeout_ms: 20_000 };
      const permit = await gate({ callId: "c", tool: shellTool, input, signal });
      if (!permit.allowed) return undefined;
      const { network, readOnly } = permit;
      const context = { callId: "c", signal, paths, processes, network, readOnly };
      return (await shellTool.run(context, input)).text;
    },
  };
}

type Ground = "none" | "sandbox";

const GROUNDS = [
  ["without a sandbox", "none", undefined],
  ["in a sandbox", "sandbox", await findSandboxProblem()],
] as const;

it("covers more than 200 commands", () => {
  const { size } = new Set([
    ...READ_COMMANDS,
    ...RUN_COMMANDS,
    ...WRITING,
    ...ESCAPE_COMMANDS,
    ...HIDDEN,
  ]);
  expect(size).toBeGreaterThan(200);
});

describe.each(GROUNDS)("%s", (_name, ground, reason) => {
  const isConfined = ground !== "none";
  // Both modes run the same commands, so each environment covers one of them.
  describe.skipIf(reason !== undefined).each([isConfined ? "ask" : "plan"] as const)(
    "mode %s",
    (mode) => {
      it("runs read-only commands, and no other takes effect", async () => {
        const { home, run } = await startBench(mode, ground);
        await run("true");
        const before = await fingerprint(home);
        const failed: string[] = [];
        for (const command of READ_COMMANDS) {
          if ((await run(command)) === undefined) failed.push(`not run: ${command}`);
        }
        for (const command of [...RUN_COMMANDS, ...WRITING, ...ESCAPE_COMMANDS, ...HIDDEN]) {
          const printed = await run(command);
          if (printed?.includes(SECRET)) failed.push(`read: ${command}`);
          if (printed === undefined) continue;
          if ((await fingerprint(home)) !== before) failed.push(`changed: ${command}`);
        }
        if ((await fingerprint(home)) !== before) failed.push("something was changed");
        expect(failed).toEqual([]);
      }, 900_000);
    },
  );

  describe.skipIf(reason !== undefined).each([isConfined ? "auto" : "edits"] as const)(
    "mode %s",
    (mode) => {
      it("reads without a prompt, and prompts before access outside the project", async () => {
        const { home, run } = await startBench(mode, ground);
        const keys = await fingerprint(join(home, ".ssh"));
        const failed: string[] = [];
        for (const command of READ_COMMANDS) {
          if ((await run(command)) === undefined) failed.push(`not run: ${command}`);
        }
        for (const command of [...ESCAPE_COMMANDS, ...RUN_COMMANDS, ...WRITING, ...HIDDEN]) {
          const printed = await run(command);
          if (printed?.includes(SECRET)) failed.push(`read: ${command}`);
        }
        if ((await fingerprint(join(home, ".ssh"))) !== keys) failed.push("keys were changed");
        if ((await readdir(home)).includes("ran")) failed.push("something ran outside");
        if ((await readdir(home)).includes("canary")) failed.push("something was written outside");
        expect(failed).toEqual([]);
      }, 900_000);
    },
  );
});
