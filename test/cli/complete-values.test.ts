import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitLine } from "../../src/cli/completion/complete-values.ts";
import { buildCli } from "../support/built-cli.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";

const run = promisify(execFile);

async function createShop(): Promise<CliFolders> {
  const folders = createCliFolders();
  const remember = ["remember", "We deploy", "--entities", "tool:postgres,tool:redis"];
  await runInProcess(folders, [...remember, "--asserted-by", "Ada", "--db", "shop"]);
  const fact = ["remember", "The port is 5432", "--episode-type", "fact", "--labels", "area=db"];
  await runInProcess(folders, [...fact, "--db", "shop"]);
  return folders;
}

async function complete(cliFolders: CliFolders, line: string): Promise<string[]> {
  const { code, stdout, stderr } = await runInProcess(cliFolders, ["__complete", line, "--wait"]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((row) => row.split("\t")[0] ?? "");
}

it("completes ids, entities, labels, authors, types and databases", async () => {
  const folders = await createShop();
  expect(await complete(folders, "cairn show ep: --db shop ep:")).toEqual(["ep:2", "ep:1"]);
  expect(await complete(folders, "cairn --db shop show fa")).toEqual(["fact:1"]);
  const entities = "cairn recall x --db shop --entities tool:redis,tool:po";
  expect(await complete(folders, entities)).toEqual(["tool:redis,tool:postgres"]);
  expect(await complete(folders, "cairn list items -d shop --labels=are")).toEqual([
    "--labels=area=db",
  ]);
  expect(await complete(folders, "cairn list items --db=shop --by a")).toEqual(["Ada"]);
  expect(await complete(folders, "cairn stats --db s")).toEqual(["shop"]);
  expect(await complete(folders, "cairn db copy s")).toEqual(["shop"]);
  expect(await complete(folders, "cairn db re")).toEqual(["rename", "restore"]);
  expect(await complete(folders, "cairn completion ")).toEqual(["bash", "zsh", "fish"]);
});

it("prints nothing for unknown values and creates nothing", async () => {
  const folders = createCliFolders();
  for (const line of [
    "",
    "cairn",
    "cairn show ",
    "cairn nothing x",
    "cairn --db ../x show e",
    "cairn list items --by 'a",
    "cairn show --db none ep:",
    'cairn "quoted words" \\',
  ]) {
    expect([line, await complete(folders, line)]).toEqual([line, []]);
  }
});

it("splits any line into words", () => {
  expect(splitLine('cairn recall "two words" --by a\\ b x')).toEqual({
    words: ["recall", "two words", "--by", "a b"],
    current: "x",
  });
  fc.assert(
    fc.property(fc.string(), (line) => {
      const { words, current } = splitLine(line);
      expect([...words, current].join("").length).toBeLessThanOrEqual(line.length);
    }),
  );
});

it("works in a real bash, which splits words at colons and equals signs", {
  tags: ["long"],
  timeout: 180_000,
}, async () => {
  const folders = await createShop();
  const main = await buildCli();
  const { stdout: script } = await runInProcess(folders, ["completion", "bash"]);
  const file = join(folders.home, "completion.bash");
  // Waits for every result; the completion deadline is not under test.
  writeFileSync(file, script.replace("cairn __complete", "cairn __complete --wait"));
  const ask = async (line: string) => {
    const program = [
      `cairn() { node '${main}' "$@"; }`,
      `source '${file}'`,
      `COMP_LINE='${line}' COMP_POINT=${line.length} COMP_TYPE=9`,
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: it is the shell's.
      'words="${COMP_LINE//:/ : }"; words="${words//=/ = }"',
      "COMP_WORDS=($words); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))",
      "_cairn; printf '%s\\n' \"${COMPREPLY[@]}\"",
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: it is the shell's.
    ].join("\n");
    const env = { ...process.env, HOME: folders.home, CAIRN_DATA_DIR: folders.dataDir };
    const { stdout } = await run("bash", ["--norc", "-c", program], { env });
    return stdout.trim().split("\n");
  };
  expect(await ask("cairn show --db shop ep:1")).toEqual(["1"]);
  expect(await ask("cairn recall --db shop --entity tool:po")).toEqual(["postgres"]);
  expect(await ask("cairn stats --db sh")).toEqual(["shop"]);
  expect(await ask("cairn rememb")).toEqual(["remember"]);
});
