import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it("manages databases and explains how to restore a deleted one", async () => {
  const folders = createCliFolders();
  const cairn = (...args: string[]) => runInProcess(folders, args);
  await cairn("remember", "one", "--db", "shop");
  expect((await cairn("db", "copy", "shop", "before")).stdout).toBe("Copied shop to before.\n");
  expect((await cairn("db", "rename", "shop", "store")).stdout).toBe("Renamed shop to store.\n");
  const deleted = await cairn("db", "delete", "before");
  const [, id = ""] = /cairn db restore (\S+) restores it/.exec(deleted.stdout) ?? [];
  expect(id).toMatch(/^before-/);
  expect((await cairn("db", "bin")).stdout).toContain(id);
  expect((await cairn("db", "restore", id)).stdout).toBe("Restored before.\n");
  expect((await cairn("db", "list")).stdout).toContain("store");
});

it.each([
  [["db", "lst"], 'Did you mean "list"?'],
  [["db", "rename", "shop"], "use cairn db rename NAME TO"],
  [["db", "delete", "nothing"], 'no database "nothing"'],
  [["db", "merge", "a", "b"], "Use instead: cairn sync"],
  [["db", "create", "../x"], "is not a valid database name"],
])("rejects %j with a fix", async (args, message) => {
  const { code, stderr } = await runInProcess(createCliFolders(), args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});
