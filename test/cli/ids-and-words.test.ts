import { expect, it } from "vitest";
import { splitIds } from "../../src/cli/complete-ids.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

async function ok(folders: CliFolders, args: string[], stdin = ""): Promise<string> {
  const result = await runInProcess(folders, args, { stdin });
  expect(result, args.join(" ")).toMatchObject({ code: 0 });
  return result.stdout;
}

async function withThree(): Promise<CliFolders> {
  const folders = createCliFolders();
  await ok(folders, ["apply", "-"], 'remember "one"\nremember "two"\nremember t=fact "three"\n');
  return folders;
}

it("accepts episode numbers and concept id prefixes", async () => {
  const folders = await withThree();
  const { id } = JSON.parse(
    await ok(folders, ["concept", "create", "A", "--from", "1,2", "--json"]),
  );
  expect(await ok(folders, ["show", "1"])).toContain("one");
  expect(await ok(folders, ["show", id.slice(0, 8)])).toContain(id);
  expect(await ok(folders, ["label", id.slice(0, 8), "a=b"])).toBe(`Labelled ${id} a=b.\n`);
  expect(await ok(folders, ["show", "2"])).toContain("two");
  const unknown = await runInProcess(folders, ["show", "zzzz"]);
  expect(unknown.code).toBe(1);
});

it("accepts a number for each numbered kind of id", async () => {
  const folders = await withThree();
  await ok(folders, ["propose", "We use pnpm", "-t", "preference"]);
  expect(await ok(folders, ["reject", "1"])).toContain("proposal:1");
});

it("lists the ids that an ambiguous prefix matches", async () => {
  const folders = await withThree();
  const ids: string[] = [];
  while (new Set(ids.map((id) => id[0])).size === ids.length) {
    const made = await ok(folders, [
      "concept",
      "create",
      `C${ids.length}`,
      "--from",
      "1",
      "--json",
    ]);
    ids.push(JSON.parse(made).id);
  }
  const shared = ids.at(-1)?.[0] ?? "";
  expect(shared).toMatch(/^[a-z0-9]$/);
  expect((await runInProcess(folders, ["show", shared])).code).toBe(1);
});

it("reports results as text and JSON", async () => {
  const folders = await withThree();
  expect(await ok(folders, ["label", "ep:1", "area", "x"])).toBe("Labelled ep:1 area=x.\n");
  expect(await ok(folders, ["unlabel", "1", "area"])).toBe("Removed all area labels from ep:1.\n");
  expect(await ok(folders, ["delete", "ep:1"])).toBe(
    "Deleted ep:1; `cairn restore ep:1` brings it back.\n",
  );
  expect(JSON.parse(await ok(folders, ["restore", "ep:1", "--json"]))).toMatchObject({
    id: "ep:1",
  });
});

it("writes several items atomically, from arguments or standard input", async () => {
  const folders = await withThree();
  expect(await ok(folders, ["rm", "1", "2"])).toBe(
    "Deleted ep:1, ep:2; `cairn restore ep:1 ep:2` brings it back.\n",
  );
  const both = await runInProcess(folders, ["restore", "1", "99"]);
  expect(both.code).toBe(1);
  expect((await runInProcess(folders, ["show", "1"])).stdout).toContain("deleted");
  await ok(folders, ["restore", "-"], "ep:1\nep:2\n");
  const listed = await ok(folders, ["ls", "--json"]);
  expect(await ok(folders, ["label", "-", "seen=yes"], listed)).toBe(
    "Labelled ep:3, ep:2, ep:1 seen=yes.\n",
  );
  expect((await runInProcess(folders, ["delete", "-"], { stdin: "" })).code).toBe(2);
});

it("reads ids from any list output", () => {
  expect(splitIds("ep:1, ep:2\nfact:3")).toEqual(["ep:1", "ep:2", "fact:3"]);
  expect(splitIds('{"total":2,"items":[{"id":"ep:2"},{"id":"ep:1"}]}')).toEqual(["ep:2", "ep:1"]);
  expect(splitIds('["a",{"id":"b"}]')).toEqual(["a", "b"]);
  expect(() => splitIds("{")).toThrow("JSON");
});

it("stores piped text", async () => {
  const folders = createCliFolders();
  await ok(folders, ["remember", "-t", "outcome"], "It works.\n");
  expect(await ok(folders, ["show", "1"])).toContain("It works.");
  expect((await runInProcess(folders, ["remember"])).code).toBe(2);
});

it("names fields in errors as the command line does", async () => {
  const folders = await withThree();
  const says = async (...args: string[]) => {
    const { code, stderr } = await runInProcess(folders, args);
    expect(code, args.join(" ")).toBe(2);
    return stderr;
  };
  expect(await says("concept", "create", "T")).toContain(
    "--from is missing: Ids of the source episodes.",
  );
  expect(await says("episodes", "--limit", "501")).toContain("--limit: must be at most 500");
  expect(await says("events", "--kind", "remembred")).toMatch(/remembered/);
  expect(await says("conflicts", "--status", "opn")).toContain("must be one of open");
  expect(await says("delete", "fact:1")).toContain("Its episode is ep:3.");
  const { stderr } = await runInProcess(folders, ["topic", "set", "1", "nope"]);
  expect(stderr).toMatch(/no topic "nope"/);
  expect(stderr).not.toContain("create_topic");
});

it("fails if one part of a snapshot fails", async () => {
  const folders = await withThree();
  expect((await runInProcess(folders, ["snapshot", "stats"])).code).toBe(0);
  const failed = await runInProcess(folders, ["snapshot", "stats", "foo"]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toContain('Unknown scope "foo"');
  expect((await runInProcess(folders, ["snapshot", "--help"])).stdout).toContain("bootstrap");
});

it("shows no empty rows on a terminal and no milliseconds in a pipe", async () => {
  const folders = await withThree();
  await ok(folders, ["concept", "create", "Counting", "--from", "1,2"]);
  const { stdout } = await runInProcess(folders, ["list", "concepts"], {
    isTTY: true,
    columns: 80,
  });
  expect(stdout).not.toContain("conflicts");
  const recalled = await ok(folders, ["recall", "three"]);
  expect(recalled).toMatch(/ep:3 · \d{4}-\d\d-\d\d/);
  expect(recalled).not.toMatch(/\.\d{3}Z/);
  expect(JSON.parse(await ok(folders, ["recall", "three", "--json"]))).not.toHaveProperty(
    "formatted",
  );
});
