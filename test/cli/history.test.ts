import { expect, it } from "vitest";
import { buildCli } from "../support/built-cli.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { Terminal } from "../terminal/support/terminal.ts";

const TOKEN = ["ghp", "wJ3kQ9xZ7vB2nM5tR8yL1pD4sF6gH0aC2eUi"].join("_");

async function run(folders: CliFolders, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(folders, args);
  expect({ code, stderr }, args.join(" ")).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const json = async (folders: CliFolders, ...args: string[]) =>
  JSON.parse(await run(folders, ...args, "--json"));

it("lists the changes since a time and by an author", async () => {
  const folders = createCliFolders();
  await run(folders, "remember", "One", "--asserted-by", "Ada");
  await run(folders, "remember", "Two", "--asserted-by", "Grace");
  await run(folders, "remember", "Three", "--asserted-by", "Ada");
  const ids = async (...args: string[]) =>
    (await json(folders, "log", ...args)).changes.map(({ id }: { id: string }) => id);
  expect(await ids("--by", "Ada")).toEqual(["change:3", "change:1"]);
  expect(await ids("--by", "Nobody")).toEqual([]);
  const [, second] = (await json(folders, "log")).changes;
  expect(await ids("--since", second.ts)).toEqual(["change:3", "change:2"]);
  expect(await ids("--since", second.ts, "--by", "Ada")).toEqual(["change:3"]);
  expect(await ids("--since", "2999-01-01")).toEqual([]);
  const wrong = await runInProcess(folders, ["log", "--since", "yesteryear"]);
  expect(wrong).toMatchObject({ code: 2, stdout: "" });
  expect(wrong.stderr).toMatch(/since|start_date/);
});

it("shows every kind of id with its history", async () => {
  const folders = createCliFolders();
  await run(folders, "topic", "create", "Deploys");
  await run(
    folders,
    "remember",
    "The cache is Redis",
    "--episode-type",
    "fact",
    "--entities",
    "tool:Cache",
  );
  await run(
    folders,
    "remember",
    "The cache is Valkey",
    "--episode-type",
    "fact",
    "--labels",
    "area=ops",
  );
  await run(folders, "conflict", "fact:1", "fact:2");
  const concept = (await json(folders, "concept", "create", "Caching", "--from", "ep:1")).id;
  for (const [id, part, record] of [
    ["ep:1", "episode", { id: "ep:1", content: "The cache is Redis" }],
    ["fact:2", "episode", { id: "ep:2", content: "The cache is Valkey" }],
    ["conflict:1", "conflict", { id: "conflict:1", status: "open" }],
    [concept, "concept", { id: concept, title: "Caching" }],
    ["tool:cache", "entity", { entity: { id: "tool:Cache" }, episodes: [{ id: "ep:1" }] }],
    ["deploys", "topic", { topic: { id: "deploys", name: "Deploys" } }],
    ["area=ops", "label", { count: 1, episodes: [{ id: "ep:2" }] }],
  ] as const) {
    const output = await json(folders, "show", id);
    expect(output[part], id).toMatchObject(record);
    expect(output.history.length, id).toBeGreaterThan(0);
    expect(await run(folders, "show", id), id).toMatch(/History/);
  }
  const unknown = await runInProcess(folders, ["show", "ep:99"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("ep:99");
});

it("shows a fact whose history is longer than a page", async () => {
  const folders = createCliFolders();
  await run(folders, "remember", "Rome", "--episode-type", "fact");
  const labels = Array.from({ length: 60 }, (_, n) => `label id=fact:1 key=n value=${n}`);
  await runInProcess(folders, ["apply", "-"], { stdin: labels.join("\n") });
  expect((await json(folders, "show", "fact:1")).episode).toMatchObject({ content: "Rome" });
});

it("finds secrets in old versions, which the suggested purge removes", async () => {
  const folders = createCliFolders();
  const open = { env: { CAIRN_SECRETS: "allow" } };
  await runInProcess(folders, ["remember", `The key is ${TOKEN}`, "--labels", `k=${TOKEN}`], open);
  await run(folders, "episode", "update", "ep:1", "--content", "The key is in the safe");
  await runInProcess(folders, ["unlabel", "ep:1", "k", TOKEN], open);
  const found = await runInProcess(folders, ["doctor", "--secrets"]);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^ep:1 {2}former content {2}github-token$/m);
  expect(found.stdout).toMatch(/^ep:1 {2}labels {2}github-token$/m);
  expect(found.stdout).toContain("cairn purge ep:1\n");
  expect(found.stdout).not.toContain(TOKEN);
  await run(folders, "purge", "ep:1", "--yes");
  expect(await run(folders, "doctor", "--secrets")).toContain("No keys or tokens");
  expect(await run(folders, "purge", "--verify", TOKEN)).toContain("No bytes of it remain");
});

it("confirms a purge on a terminal and accepts only yes", async () => {
  const folders = createCliFolders();
  await run(folders, "remember", "Zanzibarina");
  const terminal = async (answer: string) => {
    const { home, dataDir, project } = folders;
    const shown = new Terminal({
      script: await buildCli(),
      args: ["purge", "ep:1"],
      cwd: project,
      env: { HOME: home, CAIRN_DATA_DIR: dataDir, CAIRN_EMBEDDING_PROVIDER: "none" },
    });
    try {
      await shown.waitFor("Purge ep:1 permanently? This cannot be undone. [y/N]", 60_000);
      shown.type(`${answer}\r`);
      return { code: await shown.exited, text: shown.raw };
    } finally {
      shown.kill();
    }
  };
  expect((await terminal("")).code).toBe(1);
  expect((await terminal("n")).code).toBe(1);
  expect(await json(folders, "show", "ep:1")).toMatchObject({
    episode: { content: "Zanzibarina" },
  });
  const agreed = await terminal("yes");
  expect(agreed.code).toBe(0);
  expect(agreed.text).toContain("Purged permanently: ep:1.");
  expect(await run(folders, "purge", "--verify", "Zanzibarina")).toContain("No byte");
  const piped = await runInProcess(folders, ["purge", "ep:1"]);
  expect(piped).toMatchObject({ code: 2, stdout: "" });
  expect(piped.stderr).toContain("--yes");
}, 180_000);

it("filters the feed by kind and time", async () => {
  const folders = createCliFolders();
  await run(folders, "remember", "One", "--labels", "area=build");
  await run(folders, "remember", "Two", "--episode-type", "decision");
  const subjects = async (...args: string[]) =>
    (await run(folders, "events", "--json", ...args))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).subject_id);
  expect(await subjects("--label", "area=build")).toEqual(["ep:1"]);
  expect(await subjects("--type", "decision", "--since", "1d")).toEqual(["ep:2"]);
  expect(await subjects("--since", "2999-01-01")).toEqual([]);
  expect(await subjects("--since", "1")).toEqual(["ep:2"]);
  expect(
    await subjects("--follow", "--since", "1d", "--limit", "1", "--label", "area=build"),
  ).toEqual(["ep:1"]);
});
