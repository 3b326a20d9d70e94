import fc from "fast-check";
import { expect, it } from "vitest";
import { arrangeArgs } from "../../src/cli/arrange-args.ts";
import type { CommandSummary } from "../../src/cli/cli-command.ts";
import { cliPlace, runInProcess } from "../support/run-cli.ts";

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
  command("list", { aliases: ["ls"] }),
  command("episodes", { noun: "episodes", hidden: true }),
  command("conflicts", { noun: "conflicts" }),
];
const arrange = (...args: string[]) => arrangeArgs(args, COMMANDS);

it("takes global options in front of the command", () => {
  expect(arrange("--db", "shop", "stats")).toEqual(["stats", "--db", "shop"]);
  expect(arrange("--json", "--data-dir=/x", "-d", "y", "add", "text")).toEqual([
    "add",
    ...["--json", "--data-dir=/x", "-d", "y"],
    "text",
  ]);
  expect(arrange("stats", "--db", "shop")).toEqual(["stats", "--db", "shop"]);
});

it("leaves quoted text, its options and help alone", () => {
  for (const args of [
    [],
    ["list the files"],
    ["explain"],
    ["review", "this"],
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

it("takes all words for a message with -p", () => {
  expect(arrange("-p", "stats")).toEqual(["agent", "-p", "stats"]);
  expect(arrange("--output-format", "json", "--print", "stast")).toEqual([
    "agent",
    ...["--output-format", "json", "--print", "stast"],
  ]);
});

it("never hands words that start with a command to the agent", () => {
  const options = fc.array(
    fc.constantFrom(
      ...[["--db", "x"], ["--json"], ["--model", "m"], ["--continue"], ["--resume"], ["--what"]],
    ),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(options, fc.constantFrom("stats", "add", "ls", "conflicts"), (given, word) => {
      try {
        const [first = ""] = arrange(...given.flat(), word, "--json");
        expect(["stats", "add", "episodes", "conflicts"]).toContain(first);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_input" });
      }
    }),
  );
});

it("lists nouns by the command that has them", () => {
  expect(arrange("list", "conflicts", "--json")).toEqual(["conflicts", "--json"]);
  expect(arrange("ls", "--json", "conflict")).toEqual(["conflicts", "--json"]);
  expect(arrange("--db", "x", "ls", "--limit", "2")).toEqual([
    "episodes",
    ...["--db", "x", "--limit", "2"],
  ]);
  expect(arrange("help", "ls")).toEqual(["list", "--help"]);
  expect(arrange("help", "list", "conflicts")).toEqual(["conflicts", "--help"]);
  expect(() => arrange("list", "conflits")).toThrow('Did you mean "conflicts"?');
});

it("refuses what is no command, in front and in help", async () => {
  expect(() => arrange("stast")).toThrow('Did you mean "stats"?');
  expect(() => arrange("--db", "x", "stast")).toThrow("There is no command");
  expect(() => arrange("rememver", "this")).toThrow('cairn -p "rememver this"');
  expect(() => arrange("list-concepts")).toThrow('Did you mean "list concepts"?');
  expect(() => arrange("search-memory")).toThrow('There is no command "search-memory"');
  expect(() => arrange("re-read", "the", "file")).not.toThrow();
  expect(() => arrange("help", "nope")).toThrow('There is no command "nope"');
  expect(() => arrange("--provider", "openai", "stats")).toThrow("an option of the agent");
  const place = cliPlace();
  const help = await runInProcess(place, ["help", "nope"]);
  expect(help).toMatchObject({ code: 2, stdout: "" });
  expect(help.stderr).not.toContain("outputHelp");
});

it("shows how to begin, and everything on demand", async () => {
  const place = cliPlace();
  const { stdout: short } = await runInProcess(place, ["--help"]);
  expect(short).toContain("Start:");
  expect(short).toContain('cairn "a message for the agent"');
  expect(short.split("\n").length).toBeLessThan(50);
  expect(short).not.toContain("entity-graph");
  const { stdout: all } = await runInProcess(place, ["help", "--all"]);
  for (const name of ["entity-graph", "concept-show", "recall, search", "Upkeep:"])
    expect(all).toContain(name);
  expect((await runInProcess(place, ["version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("takes aliases and short options", async () => {
  const place = cliPlace();
  await runInProcess(place, ["add", "x", "-t", "decision", "-e", "person:Ada", "-l", "a=b"]);
  const shown = await runInProcess(place, ["--json", "ls", "-n", "1"]);
  expect(JSON.parse(shown.stdout).episodes).toMatchObject([
    { content: "x", episode_type: "decision", entities: ["person:Ada"] },
  ]);
  const coloured = await runInProcess(place, ["stats", "--color", "always"]);
  expect(coloured.stdout).toContain("\u001b[");
  expect((await runInProcess(place, ["stats", "--color", "maybe"])).code).toBe(2);
});
