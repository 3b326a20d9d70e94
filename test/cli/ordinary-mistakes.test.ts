import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

it.each([
  [["label", "1"], /^cairn: error: key is missing.* For example: cairn label /],
  [["label", "1", "area"], /^cairn: error: value is missing.* For example: cairn label /],
  [["apply", "nofile"], /^cairn: error: file: cannot read nofile: no such file or folder\n/],
  [["import", "nofile"], /cannot read \S*nofile: no such file or folder\n/],
  [["log", "--since", "blah"], /^cairn: error: --since: .*blah/],
  [["log", "-n", "0"], /^cairn: error: --limit: must be at least 1\n$/],
  [["events", "--since", "-1"], /^cairn: error: --since: must be at least 0\n$/],
  [["completion", "tcsh"], /use bash, zsh, fish/],
])("%j gets a readable error", async (args, pattern) => {
  const { code, stdout, stderr } = await runInProcess(createCliFolders(), args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(pattern);
});

it("accepts item filters for every noun", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["remember", "One", "--asserted-by", "Ada", "-e", "tool:redis"]);
  await runInProcess(folders, ["remember", "Two", "-t", "fact", "-e", "tool:redis"]);
  const idsOf = async (...args: string[]) =>
    (
      Object.values(JSON.parse((await runInProcess(folders, [...args, "--json"])).stdout))[0] as {
        id: string;
      }[]
    ).map(({ id }) => id);
  expect(await idsOf("ls", "--by", "Ada")).toEqual(["ep:1"]);
  expect(await idsOf("list", "facts", "--since=1d")).toEqual(["fact:1"]);
  expect(await idsOf("--json", "ls", "--since", "1d", "-e", "tool:redis")).toHaveLength(2);
  const refused = await runInProcess(folders, ["list", "labels", "--since", "1d"]);
  expect(refused.code).toBe(2);
});

it("reports an unwritable path with the reason", async () => {
  const folders = createCliFolders();
  const file = "/dev/null/backup.jsonl";
  await runInProcess(folders, ["remember", "One"]);
  const { code, stderr } = await runInProcess(folders, ["export", file]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^cairn: error: \/dev\/null: a part of the path is a file\n$/);
});

it("accepts field names as shown in records and filters", async () => {
  const folders = createCliFolders();
  const replies = ["remember", "We use pnpm", "--type", "decision", "--by", "Ada", "--json"];
  expect(await runInProcess(folders, replies)).toMatchObject({ code: 0 });
  const listed = await runInProcess(folders, ["ls", "--type", "decision", "--by", "Ada", "--json"]);
  expect(JSON.parse(listed.stdout).episodes).toHaveLength(1);
});
