import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type CliFolders, createCliFolders, runCli, runInProcess } from "../support/run-cli.ts";

/** An editor that runs `script` on the file `$1`. */
function editor(folders: CliFolders, script: string): Record<string, string> {
  const path = join(folders.home, "editor.sh");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { EDITOR: path, VISUAL: "" };
}

async function contentOf(cliFolders: CliFolders): Promise<string> {
  const { stdout } = await runInProcess(cliFolders, ["show", "ep:1", "--json"]);
  return JSON.parse(stdout).episode.content;
}

it("edits an episode in the editor and can undo it", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "two lamps"]);
  const env = editor(folders, `sed -i 's/two/three/' "$1"`);
  const edited = await runCli(folders, ["edit", "ep:1"], { env });
  expect(edited).toMatchObject({ code: 0, stderr: "" });
  expect(await contentOf(folders)).toBe("three lamps");
  const { stdout } = await runInProcess(folders, ["log", "ep:1", "-p"]);
  expect(stdout).toMatch(/two lamps[\s\S]*three lamps/);
  const tried = await runInProcess(folders, ["undo", "--dry-run"]);
  expect(tried.stdout).toBe('Would undo change:2:\n  update id=ep:1 content="two lamps"\n');
  const undone = await runInProcess(folders, ["undo"]);
  expect(undone.stdout).toBe(
    'Undid change:2:\n  update id=ep:1 content="two lamps"\nThat is change:3; `cairn undo change:3` reverses it.\n',
  );
  expect(await contentOf(folders)).toBe("two lamps");
  await runInProcess(folders, ["redo"]);
  expect(await contentOf(folders)).toBe("three lamps");
});

it("shows both versions if the item changed in the meantime", async () => {
  const folders = createCliFolders();
  await runCli(folders, ["remember", "two lamps"]);
  const cli = join(import.meta.dirname, "../../bin/cairn.js");
  const env = {
    ...editor(
      folders,
      `"$NODE" "${cli}" update-episode ep:1 --content theirs >&2 && sed -i 's/two/my/' "$1"`,
    ),
    NODE: process.execPath,
  };
  const edited = await runCli(folders, ["edit", "ep:1"], { env });
  expect(edited.code).toBe(1);
  expect(edited.stderr).toMatch(/--- theirs[\s\S]*theirs[\s\S]*--- yours[\s\S]*my lamps/);
  expect(await contentOf(folders)).toBe("theirs");
});

it("requires --yes without a terminal and verifies a purge", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "Zanzibarina called"]);
  const refused = await runInProcess(folders, ["purge", "ep:1"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  const left = await runInProcess(folders, ["purge", "--verify", "Zanzibarina"]);
  expect([left.code, left.stdout]).toEqual([1, expect.stringContaining("at byte")]);
  const purged = await runInProcess(folders, ["purge", "ep:1", "--yes", "--verify", "Zanzibarina"]);
  expect([purged.code, purged.stdout]).toEqual([0, expect.stringContaining("No bytes of it")]);
});

it.each([{}, { EDITOR: "vim -n" }, { VISUAL: "/usr/bin/nano" }])(
  "does not start a terminal editor without a terminal: %o",
  async (set) => {
    const folders = createCliFolders();
    await runInProcess(folders, ["remember", "two lamps"]);
    const env = { EDITOR: "", VISUAL: "", ...set };
    const refused = await runInProcess(folders, ["edit", "ep:1"], { env });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("terminal") });
    expect(await contentOf(folders)).toBe("two lamps");
  },
);
