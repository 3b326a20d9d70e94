import { Command, type Option } from "commander";
import { describe, expect, it } from "vitest";
import type { CliCommand } from "../../src/cli/cli-command.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { describeFields } from "../../src/cli/operation-command/command-fields.ts";
import { operationCommand, readInput } from "../../src/cli/operation-command/operation-command.ts";
import { createOperations } from "../../src/memory/index.ts";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

/** An undocumented option, and the documented one that it is an alias of. */
interface Pair {
  readonly command: string;
  readonly other: Option;
  readonly real: Option;
}

const ofOperations = [...createOperations().values()].flatMap(
  (operation) => operationCommand(operation) ?? [],
);

const PAIRS = [...commands, ...ofOperations].flatMap(pairsOf);

function pairsOf({ name, configure }: CliCommand): Pair[] {
  const command = new Command(name);
  configure?.(command);
  return command.options
    .filter(({ hidden }) => hidden)
    .map((other) => {
      const [long] = /--[a-z-]+/.exec(other.description) ?? [];
      const real = command.options.find((option) => option.long === long && option !== other);
      if (real === undefined) throw new Error(`${name} ${other.flags}: ${other.description}`);
      return { command: name, other, real };
    });
}

const takesSeveral = ({ flags }: Option) => / <(list|entry)>/.test(flags);
const flagOf = ({ long, short }: Option) => long ?? short ?? "";

it("accepts hidden aliases of both kinds", () => {
  const lines = PAIRS.map(({ command, other }) => `${command} ${flagOf(other)}`);
  expect(lines).toEqual(
    expect.arrayContaining(["remember --type", "recall -k", "list items --label"]),
  );
});

describe("an option and its alias with values", () => {
  // A hook must not fail: it accepts both, and the documented one counts.
  const single = PAIRS.filter(({ command, real }) => command !== "hook" && !takesSeveral(real));

  it.each(
    single.map((pair) => [pair.command, flagOf(pair.other), flagOf(pair.real), pair] as const),
  )("%s %s %s is an error naming both", async (command, other, real, pair) => {
    for (const [first, second] of [
      [other, real],
      [real, other],
    ] as const) {
      const args = [command, first, "1", second, "2", "--json"];
      const { code, stdout } = await runInProcess(createCliFolders(), args);
      const { error } = JSON.parse(stdout);
      expect([code, error.code]).toEqual([2, "invalid_input"]);
      expect(error.message).toContain(`'${pair.other.flags}' cannot be used with`);
      expect(error.message).toContain(pair.real.flags);
    }
  });
});

it("combines list entries of both names", () => {
  for (const operation of createOperations().values()) {
    const named = operationCommand(operation);
    for (const { other, real } of named === undefined ? [] : pairsOf(named)) {
      if (!takesSeveral(real)) continue;
      const command = new Command();
      named?.configure?.(command);
      command.parseOptions([flagOf(real), "a=1,b=2", flagOf(other), "c=3"]);
      const fields = describeFields(operation, operation.cli?.positionals ?? []);
      const input = readInput(operation, fields, { words: [], options: command.opts() });
      const field = flagOf(real).slice(2).replaceAll("-", "_");
      expect(String(input[field]), `${operation.name} ${flagOf(other)}`).toBe("a=1,b=2,c=3");
    }
  }
});
