import fc from "fast-check";
import { expect, it } from "vitest";
import { arrangeArgs } from "../../src/cli/arrange-args.ts";
import type { CommandSummary } from "../../src/cli/cli-command.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

const command = (name: string, more: Partial<CommandSummary> = {}): CommandSummary => ({
  name,
  summary: name,
  group: "Memory",
  ...more,
});
const COMMANDS = [
  command("agent"),
  command("stats"),
  command("remember", { aliases: ["add"] }),
  command("list episodes"),
  command("list conflicts"),
  command("list items"),
  command("topic create"),
  command("topic delete"),
];
const arrange = (...args: string[]) => arrangeArgs(args, COMMANDS).args;

it("accepts global options before the command", () => {
  expect(arrange("--db", "shop", "stats")).toEqual(["stats", "--db", "shop"]);
  expect(arrange("--json", "--data-dir=/x", "-d", "y", "add", "text")).toEqual([
    "add",
    ...["--json", "--data-dir=/x", "-d", "y"],
    "text",
  ]);
  expect(arrange("stats", "--db", "shop")).toEqual(["stats", "--db", "shop"]);
});

it("preserves quoted text, its options and help", () => {
  for (const args of [
    [],
    ["list the files"],
    ["--db", "x", "why is it red?"],
    ["--resume", "thread-1"],
    ["--model", "m", "list the files"],
    ["/help"],
    ["--", "stats"],
    ["--help"],
    ["--version"],
  ]) {
    expect(arrange(...args), args.join(" ")).toEqual(args);
  }
});

it("treats all words as a message with -p", () => {
  expect(arrange("-p", "stats")).toEqual(["agent", "-p", "stats"]);
  expect(arrange("--output-format", "json", "--print", "stast")).toEqual([
    "agent",
    ...["--output-format", "json", "--print", "stast"],
  ]);
});

it("never sends words that start with a command to the agent", () => {
  const options = fc.array(
    fc.constantFrom(
      ...[["--db", "x"], ["--json"], ["--model", "m"], ["--continue"], ["--resume"], ["--what"]],
    ),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(options, fc.constantFrom("stats", "add", "ls", "topic"), (inputs, word) => {
      try {
        const [first = ""] = arrange(...inputs.flat(), word, "--json");
        expect(["stats", "add", "list", "topic"]).toContain(first);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_input" });
      }
    }),
  );
});

it("lists nouns and views; episodes by default", () => {
  expect(arrange("list", "conflicts", "--json")).toEqual(["list", "conflicts", "--json"]);
  expect(arrange("ls", "--json", "conflict")).toEqual(["list", "conflicts", "--json"]);
  expect(arrange("--db", "x", "ls", "--limit", "2")).toEqual([
    ...["list", "episodes"],
    ...["--db", "x", "--limit", "2"],
  ]);
  expect(arrange("list", "decisions", "--json")).toEqual([
    ...["list", "episodes"],
    ...["--type", "decision", "--json"],
  ]);
  expect(arrange("list", "facts")).toEqual(["list", "items", "--kinds", "fact"]);
  expect(arrange("list", "sessions", "--json")).toEqual(["sessions", "--json"]);
  expect(arrange("help", "ls")).toEqual(["list", "--help"]);
  expect(arrange("help", "list", "conflicts")).toEqual(["list", "conflicts", "--help"]);
  expect(() => arrange("list", "conflits")).toThrow('Did you mean "conflicts"?');
});

it("accepts two-word commands", () => {
  expect(arrange("--db", "x", "topic", "create", "deploys")).toEqual([
    ...["topic", "create"],
    ...["--db", "x", "deploys"],
  ]);
  expect(arrange("topic")).toEqual(["topic", "--help"]);
  expect(() => arrange("topic", "creat", "x")).toThrow('Did you mean "topic create"?');
});

it("runs a renamed command and reports its new name", () => {
  const { args, notice } = arrangeArgs(["--json", "inbox"].reverse(), [
    ...COMMANDS,
    command("list proposals"),
  ]);
  expect(args).toEqual(["list", "proposals", "--json"]);
  expect(notice).toContain("`cairn inbox` is now `cairn list proposals`");
  expect(() => arrange("inspect")).toThrow("Use instead: cairn list concepts");
});

it("rejects unknown commands, also in help", async () => {
  expect(() => arrange("stast")).toThrow('Did you mean "stats"?');
  expect(() => arrange("--db", "x", "stast")).toThrow("There is no command");
  expect(() => arrange("rememver", "this")).toThrow('cairn -p "rememver this"');
  expect(() => arrange("list-conflicts")).toThrow('Did you mean "list conflicts"?');
  for (const words of [["explain"], ["re-read", "the", "file"], ["search-memory"]]) {
    expect(() => arrange(...words)).toThrow(`There is no command "${words[0]}"`);
  }
  expect(() => arrange("help", "nope")).toThrow('There is no command "nope"');
  expect(() => arrange("--provider", "openai", "stats")).toThrow("an agent option");
  const folders = createCliFolders();
  const help = await runInProcess(folders, ["help", "nope"]);
  expect(help).toMatchObject({ code: 2, stdout: "" });
  expect(help.stderr).not.toContain("outputHelp");
});

it("shows getting started in help, and all commands on demand", async () => {
  const folders = createCliFolders();
  const { stdout: short } = await runInProcess(folders, ["--help"]);
  expect(short).toContain("Start:");
  expect(short).toContain('cairn "a message for the agent"');
  expect(short.split("\n").length).toBeLessThanOrEqual(50);
  expect(short).not.toContain("unlabel");
  for (const name of ["apply", "recall", "snapshot", "events", "serve", "mcp", "ui-server"])
    expect(short).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  const { stdout: all } = await runInProcess(folders, ["help", "--all"]);
  for (const name of ["unlabel", "concept", "recall, search", "Upkeep:"])
    expect(all).toContain(name);
  expect((await runInProcess(folders, ["version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("accepts aliases and short options", async () => {
  const folders = createCliFolders();
  await runInProcess(folders, ["add", "x", "-t", "decision", "-e", "person:Ada", "-l", "a=b"]);
  const result = await runInProcess(folders, ["--json", "ls", "-n", "1"]);
  expect(JSON.parse(result.stdout).episodes).toMatchObject([
    { content: "x", episode_type: "decision", entities: ["person:Ada"] },
  ]);
  const coloured = await runInProcess(folders, ["stats", "--color", "always"]);
  expect(coloured.stdout).toContain("\u001b[");
  expect((await runInProcess(folders, ["stats", "--color", "maybe"])).code).toBe(2);
});
