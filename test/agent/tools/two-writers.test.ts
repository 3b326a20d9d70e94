import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { storeEdit } from "../../../src/agent/tools/edit.ts";
import { buildProgram } from "../../support/built-cli.ts";

const LINES = 15;

async function folderWithFile(text: string) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-writers-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  await mkdir(root);
  await writeFile(join(root, "file"), text);
  return { root, data: join(folder, "data"), file: join(root, "file") };
}

it("two cairns that edit one file lose none of the edits that they report as done", async () => {
  const names = ["a", "b"];
  const lines = names.flatMap((name) =>
    Array.from({ length: LINES }, (_, index) => `${name}${index} old\n`),
  );
  const { root, data, file } = await folderWithFile(lines.join("") + "x\n".repeat(50_000));
  const script = await buildProgram("edit-lines");
  const done = await Promise.all(
    names.map(async (name) => {
      const args = [script, root, data, name, String(LINES)];
      return Number((await promisify(execFile)(process.execPath, args)).stdout);
    }),
  );
  const found = (await readFile(file, "utf8")).match(/ new\n/g)?.length ?? 0;
  expect(found).toBe(done.reduce((sum, count) => sum + count, 0));
  expect(found).toBe(2 * LINES);
}, 180_000);

it("does not overwrite what an editor saved meanwhile", async () => {
  const { file } = await folderWithFile("one\n");
  await writeFile(file, "saved by an editor\n");
  const edit = storeEdit({
    file: { absolute: file, shown: "file" },
    before: "one\n",
    after: { text: "two\n", notes: [] },
    editMode: "hashline",
  });
  await expect(edit).rejects.toMatchObject({ code: "conflict" });
  expect(await readFile(file, "utf8")).toBe("saved by an editor\n");
});
