import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  openPinnedFile,
  pinFolder,
  replacePinnedFile,
} from "../../../src/agent/documents/pinned-folder.ts";
import { globTool, grepTool } from "../../../src/agent/tools/grep.ts";
import { walkProject } from "../../../src/agent/tools/walk-project.ts";
import { writeTool } from "../../../src/agent/tools/write.ts";
import { openToolBench } from "../support/tool-bench.ts";

async function twoFolders() {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cairn-pinned-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [project, home] = [join(base, "project"), join(base, "home")];
  await mkdir(join(project, "x"), { recursive: true });
  await mkdir(home);
  await writeFile(join(home, "secret"), "secret");
  const swap = async () => {
    await rename(join(project, "x"), join(project, "y"));
    await symlink(home, join(project, "x"));
  };
  return { project, home, swap };
}

it("neither writes nor reads a folder that became a link after the check", async () => {
  const { project, home, swap } = await twoFolders();
  await swap();
  await expect(replacePinnedFile(join(project, "x/f"), "text")).rejects.toThrowError(/moved/);
  await expect(replacePinnedFile(join(project, "x/new/f"), "text")).rejects.toThrowError(/moved/);
  await expect(openPinnedFile(join(project, "x/secret"))).rejects.toThrowError(/moved/);
  expect(await readdir(home)).toEqual(["secret"]);
});

it.runIf(process.platform === "linux")("uses the opened folder after it was swapped", async () => {
  const { project, home, swap } = await twoFolders();
  const folder = await pinFolder(join(project, "x"));
  onTestFinished(() => folder.close());
  await swap();
  await writeFile(folder.at("f"), "text");
  expect(await readFile(join(project, "y/f"), "utf8")).toBe("text");
  expect(await readdir(home)).toEqual(["secret"]);
});

it("a file that became a link is not read through it, and is replaced instead of followed", async () => {
  const { project, home } = await twoFolders();
  await symlink(join(home, "secret"), join(project, "x/f"));
  await expect(openPinnedFile(join(project, "x/f"))).rejects.toThrowError(/moved/);
  await replacePinnedFile(join(project, "x/f"), "mine");
  expect(await readFile(join(project, "x/f"), "utf8")).toBe("mine");
  expect(await readFile(join(home, "secret"), "utf8")).toBe("secret");
});

it("writes nothing outside while a loop swaps a folder and a link", async () => {
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  const { home } = await twoFolders();
  const loop = await bench.processes.start(
    `mkdir x; ln -s '${home}' l; while :; do mv x d; mv l x; mv x l; mv d x; done 2>/dev/null`,
  );
  let written = 0;
  // On a busy machine more writes are needed until one succeeds between two swaps.
  for (let n = 0; n < 150 || (written === 0 && n < 20_000); n += 1) {
    const input = { path: `x/pwn${n}`, content: "x" };
    await bench.run(writeTool, input).then(
      () => {
        written += 1;
      },
      () => undefined,
    );
  }
  await loop.kill();
  expect(await readdir(home)).toEqual(["secret"]);
  expect(written).toBeGreaterThan(0);
});

const searches = [
  ["glob", globTool, { pattern: "**" }],
  ["grep by walking", grepTool(undefined), { pattern: "secret" }],
] as const;

it.each(searches)("%s refuses a folder that became a link since it was judged", async (...row) => {
  const [, tool, input] = row;
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  const { home } = await twoFolders();
  await mkdir(join(bench.root, "x"));
  const paths = bench.paths.forCall();
  await paths.forReading("x");
  await rename(join(bench.root, "x"), join(bench.root, "y"));
  await symlink(home, join(bench.root, "x"));
  const { processes } = bench;
  const context = { callId: "c", signal: new AbortController().signal, paths, processes };
  await expect(tool.run(context, { ...input, path: "x" })).rejects.toThrowError(/moved/);
});

it("grep reports nothing of a folder that became a link while ripgrep was searching", async () => {
  const bench = await openToolBench();
  onTestFinished(() => bench.close());
  const { home } = await twoFolders();
  await mkdir(join(bench.root, "x"));
  await writeFile(join(bench.root, "found.txt"), "a secret\n");
  // Output of ripgrep if the folder is swapped between listing and opening.
  const swapping = join(home, "rg");
  await writeFile(
    swapping,
    `#!/bin/sh\nmv x y; ln -s '${home}' x\nprintf 'found.txt\\0001:a secret\\nx/secret\\0001:secret\\n'\n`,
    { mode: 0o755 },
  );
  const { text } = await bench.run(grepTool(swapping), { pattern: "secret" });
  expect(await realpath(join(bench.root, "x"))).toBe(home);
  expect(text).toBe("found.txt:1:a secret");
});

it("a walk does not enter a folder that became a link after it was listed", async () => {
  const { project: root, swap } = await twoFolders();
  await mkdir(join(root, "z"));
  for (const file of ["a", "x/inside", "z/b"]) await writeFile(join(root, file), "");
  const { signal } = new AbortController();
  const files: string[] = [];
  for await (const file of walkProject({ root, start: root, signal })) {
    files.push(file);
    if (file === "a") await swap();
  }
  expect(files).toEqual(["a", "z/b"]);
});
