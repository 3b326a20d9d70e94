import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse as parseToml } from "@decimalturn/toml-patch";
import { transform } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { parseTaskFile } from "../../src/agent/run/task-file.ts";
import { readModelFolder } from "../../src/embedding/onnx/model-folder.ts";
import type { Operation } from "../../src/memory/index.ts";
import { packageRoot } from "../../src/shared/package.ts";
import { blocksOf, listWrittenPages, textsOf } from "../support/blocks-of-pages.ts";
import { buildCli } from "../support/built-cli.ts";
import { createGitRunner, writeSession } from "../support/create-git-runner.ts";
import { type CliFolders, createCliFolders, runInProcess } from "../support/run-cli.ts";
import { parseCommands, type TypedCommand } from "../support/typed-commands.ts";

const LIMIT = 180_000;
const SAMPLES = join(packageRoot(), "test/ingest/importers/samples");

/** Blocks that other tests run: page, kinds, test. */
const RUN_ELSEWHERE: readonly (readonly [page: string, kinds: string, test: string])[] = [
  ["README.md", "sh, sh server, text, json", "test/e2e/readme.test.ts"],
  ["README.md", "ts", "test/e2e/packed-package.test.ts"],
  ["docs/tutorial.md", "sh, console", "test/docs/tutorial.test.ts"],
  [
    "docs/tutorial-agent.md",
    "sh groq, sh ollama, sh bedrock, console",
    "test/docs/agent-tutorial.test.ts",
  ],
  ["docs/guides/team.md", "sh, sh server, sh docker, sh over", "test/docs/team-guide.test.ts"],
  ["docs/guides/mcp-clients.md", "sh over http", "test/e2e/readme.test.ts"],
];

/** Guides whose commands run in order, with their setup. */
const TYPED: Readonly<Record<string, (folders: CliFolders) => Promise<void>>> = {
  "docs/guides/changeset.md": async (folders) => {
    symlinkSync(join(packageRoot(), "examples"), join(folders.project, "examples"));
  },
  "docs/guides/cli.md": async (folders) => {
    await type(folders, ["remember", "We deploy on Mondays", "--asserted-by", "ada"]);
  },
  "docs/guides/configuration.md": async () => undefined,
  "docs/guides/embedding-models.md": async (folders) => {
    await type(folders, ["remember", "Am Dienstag wird ausgeliefert."]);
  },
  "docs/guides/history.md": async (folders) => {
    for (let at = 1; at <= 9; at += 1) {
      const about = ["--episode-type", "fact", "--entities", `person:Ada,file:${at}.ts`];
      await type(folders, ["remember", `Fact number ${at}`, ...about]);
    }
  },
  "docs/guides/identity.md": async () => undefined,
  "docs/guides/import.md": async (folders) => {
    const projects = join(folders.home, ".claude/projects");
    cpSync(join(SAMPLES, "claude-code"), projects, { recursive: true });
    cpSync(join(SAMPLES, "chatgpt-pasted.txt"), join(folders.project, "pasted.txt"));
    writeFileSync(
      join(folders.project, "notes.csv"),
      "note,who,when\nWe deploy on Tuesdays.,ada,2026-03-01\n",
    );
    await type(folders, ["remember", "Something to bring out"]);
  },
  "docs/guides/mcp-clients.md": async (folders) => {
    mkdirSync(join(folders.home, ".codex"));
    const args = JSON.stringify([await buildCli(), "mcp"]);
    const entry = `[mcp_servers.cairn]\ncommand = "${process.execPath}"\nargs = ${args}\n`;
    writeFileSync(join(folders.home, ".codex/config.toml"), entry);
  },
  "docs/guides/review.md": async (folders) => {
    const git = createGitRunner(folders.project);
    git("commit", "--quiet", "--allow-empty", "-m", "Begin");
    git("branch", "-M", "main");
    git("checkout", "--quiet", "-b", "branch");
    writeFileSync(join(folders.project, "total.ts"), "export const total = 1;\n");
    git("add", "total.ts");
    git("commit", "--quiet", "-m", "Count");
    writeFileSync(join(folders.project, "total.ts"), "export const total = 2;\n");
    await type(folders, ["remember", "Totals are counted once"]);
  },
  "docs/guides/sessions.md": async (folders) => {
    createGitRunner(folders.project)(
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "Retry three times at most",
    );
    writeSession(folders.home, folders.project);
  },
};

/** Guides whose settings are used as the user's config. */
const SETTINGS = [
  "docs/guides/agent.md",
  "docs/guides/embedding-models.md",
  "docs/guides/identity.md",
  "docs/guides/permission-and-sandbox.md",
];

const BENCHMARKS = "docs/benchmarks.md";
const AGENT = "docs/guides/agent.md";
const CONTRIBUTING = "docs/guides/contributing.md";

/** Pages and kinds of blocks that this file runs. */
const RUN_HERE: readonly (readonly [page: string, kinds: string])[] = [
  ...Object.keys(TYPED).map((page) => [page, "sh"] as const),
  ...SETTINGS.map((page) => [page, "json"] as const),
  [AGENT, "json editor, md"],
  ["docs/guides/mcp-clients.md", "json, toml"],
  [BENCHMARKS, "indented"],
  ["docs/guides/changeset.md", "changeset, json"],
  [CONTRIBUTING, "ts operation, ts slash-command"],
];

it("tests every block of every page, or states why not", () => {
  const run = new Set(
    [...RUN_ELSEWHERE, ...RUN_HERE].flatMap(([page, kinds]) =>
      kinds.split(", ").map((kind) => `${page} ${kind}`),
    ),
  );
  const blocks = listWrittenPages().flatMap(blocksOf);
  expect(blocks.length).toBeGreaterThan(80);
  const wrong = blocks
    .filter(({ page, kind, notRun }) => notRun === undefined && !run.has(`${page} ${kind}`))
    .map(({ page, line, kind }) => `${page}:${line} (${kind})`);
  expect(wrong, "run these, or write `<!-- not run: WHY -->` above them").toEqual([]);
  const shownIds = new Set(
    blocks.filter(({ notRun }) => notRun === undefined).map(({ page, kind }) => `${page} ${kind}`),
  );
  expect([...run].filter((one) => !shownIds.has(one))).toEqual([]);
});

async function type(folders: CliFolders, args: readonly string[], stdin = ""): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(folders, args, { stdin });
  expect([args.join(" "), code, code === 0 ? "" : stderr]).toEqual([args.join(" "), 0, ""]);
  return stdout;
}

/** Output of placeholder programs and shell builtins. */
function outputOf({ project }: CliFolders, [program, ...args]: readonly string[]): string {
  if (program === "echo") return `${args.join(" ")}\n`;
  if (program === "make-ops") return 'remember "An op that a program made."\n';
  if (program === "git") return execFileSync(program, args, { cwd: project, encoding: "utf8" });
  throw new Error(`The test knows no program ${program}.`);
}

it.each(Object.entries(TYPED))(
  "%s shows commands that work one after the other",
  async (page, prepare) => {
    const blocks = textsOf(page, "sh");
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const folders = createCliFolders();
      await prepare(folders);
      await typeAll(folders, parseCommands(block));
    }
  },
  LIMIT,
);

async function typeAll(folders: CliFolders, typed: readonly TypedCommand[]): Promise<void> {
  expect(typed.length).toBeGreaterThan(0);
  for (const { program, args, fed } of typed) {
    expect(program).toBe("cairn");
    const words = args.map((word) => word.replace(/^~(?=\/)/, folders.home));
    // No user can confirm.
    const asks = words[0] === "purge" || (words[0] === "connect" && words.length === 2);
    await type(folders, asks ? [...words, "--yes"] : words, fed && outputOf(folders, fed));
  }
}

it.each(SETTINGS)("%s shows valid settings", async (page) => {
  const folders = createCliFolders();
  const folder = join(folders.home, ".config/cairn");
  mkdirSync(folder, { recursive: true });
  const lines = textsOf(page, "json").filter((text) => !isOfModel(text));
  expect(lines.length).toBeGreaterThan(0);
  for (const text of lines) {
    writeFileSync(join(folder, "config.json"), text, { mode: 0o600 });
    const [key = ""] = Object.keys(JSON.parse(text));
    const { settings } = JSON.parse(await type(folders, ["config", "--json"]));
    expect(JSON.stringify(settings)).toContain(key);
  }
});

function isOfModel(text: string): boolean {
  return Object.hasOwn(JSON.parse(text), "pooling");
}

it("the guide to embedding models shows a valid cairn.json", () => {
  const [shown, ...more] = textsOf("docs/guides/embedding-models.md", "json").filter(isOfModel);
  expect(more).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), "cairn-model-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["model.onnx", "tokenizer.json"]) writeFileSync(join(folder, name), "{}");
  writeFileSync(join(folder, "cairn.json"), shown ?? "");
  expect(readModelFolder(folder)).toMatchObject({ pooling: "mean", dimensions: 256 });
});

it("the guides show entries of clients and editors that start cairn", () => {
  const output = [
    ...textsOf("docs/guides/mcp-clients.md", "json").map((text) => JSON.parse(text)),
    ...textsOf("docs/guides/mcp-clients.md", "toml").map((text) => parseToml(text)),
    ...textsOf(AGENT, "json editor").map((text) => JSON.parse(text)),
  ];
  expect(output.length).toBeGreaterThan(5);
  for (const document of output) {
    const words = JSON.stringify(document).match(/"[^"]*"/g) ?? [];
    expect(words.join(" ")).toMatch(/cairn" .*"(mcp|acp)"/);
  }
});

it("the guide to the agent shows a task list with its check and its order", () => {
  const [text = ""] = textsOf(AGENT, "md");
  const { tasks, checks } = parseTaskFile(text);
  expect(checks).toEqual(["npm test"]);
  expect(tasks.map(({ id, name, after }) => [id, name, after])).toEqual([
    ["validate", "Validate the amount", []],
    ["2", "Document the limit", ["validate"]],
  ]);
});

it(
  "the guide to changesets shows valid ops",
  async () => {
    const page = "docs/guides/changeset.md";
    const folders = createCliFolders();
    const concepts = await createGuideMemory(folders);
    const lines = [...textsOf(page, "changeset"), ...textsOf(page, "json")];
    expect(lines.length).toBeGreaterThan(10);
    for (const block of lines) {
      const named = block.replaceAll(
        /CONCEPT_([A-E])/g,
        (_all, letter: string) => concepts["ABCDE".indexOf(letter)] ?? "",
      );
      await type(folders, ["apply", "--dry-run", "-"], named);
    }
  },
  LIMIT,
);

/** Creates the records that the guide refers to, and returns the ids of its concepts. */
async function createGuideMemory(folders: CliFolders): Promise<readonly string[]> {
  const facts = ["3000", "3001", "3002", "3003"].map(
    (port, at) => `remember as=f${at} t=fact e=project:shop "The port is ${port}."`,
  );
  const concepts = [..."ABCDE"].map(
    (name) => `concept title="Concept ${name}" from=$f0,$f1 labels=team=core "What ${name} says."`,
  );
  const rest = [
    'remember "A fifth episode."',
    "conflict fact_a=$f1 fact_b=$f2",
    "conflict fact_a=$f2 fact_b=$f3",
    "evidence concept=$c episode=ep:5 type=supporting",
  ];
  const text = [...facts, concepts[0]?.replace("concept ", "concept as=c "), ...concepts.slice(1)];
  await type(folders, ["apply", "-"], [...text, ...rest].join("\n"));
  const listed = JSON.parse(await type(folders, ["list", "concepts", "--json"]));
  const ids = listed.concepts as readonly { id: string; title: string }[];
  return [...ids].sort((a, b) => a.title.localeCompare(b.title)).map(({ id }) => id);
}

interface Shout {
  run(context: { dialogue: { print(text: string): void } }, args: string): Promise<void>;
}

/**
 * Compiles a block of the contributing guide, with imports resolved from `folder`, and returns its
 * exports.
 */
async function programOf(kind: string, folder: string): Promise<Record<string, unknown>> {
  const [text = ""] = textsOf(CONTRIBUTING, kind);
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20" });
  const path = mkdtempSync(join(tmpdir(), "cairn-guide-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const file = join(path, "program.ts");
  const here = join(packageRoot(), folder);
  writeFileSync(
    file,
    code.replaceAll(
      /from "([^"]+)"/g,
      (_all, from: string) =>
        `from ${JSON.stringify(from.startsWith(".") ? join(here, from) : import.meta.resolve(from))}`,
    ),
  );
  return import(pathToFileURL(file).href);
}

it("the guide to operations shows a working command", async () => {
  const { pin } = await programOf("ts operation", "src/memory/operations/write");
  const folders = createCliFolders();
  await type(folders, ["remember", "Keep me at the top"]);
  const furtherOperations = [pin as Operation];
  expect(
    await runInProcess(folders, ["pin", "ep:1", "--json"], { furtherOperations }),
  ).toMatchObject({ code: 0, stderr: "" });
});

it("the guide to slash commands shows a working command", async () => {
  const { shout } = await programOf("ts slash-command", "src/agent/slash-commands");
  const printed: string[] = [];
  await (shout as Shout).run({ dialogue: { print: (text) => printed.push(text) } }, "loud");
  expect(printed).toEqual(["LOUD"]);
});

it("the benchmarks name commands that are there", () => {
  const { scripts } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
  const output = textsOf(BENCHMARKS, "indented").join("");
  const named = (pattern: RegExp) => Array.from(output.matchAll(pattern), ([, name]) => name ?? "");
  const files = named(/ (?:npx tsx|npx vitest run) (\S+)/g);
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !existsSync(join(packageRoot(), file)))).toEqual([]);
  expect(named(/npm run ([\w:]+)/g).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
