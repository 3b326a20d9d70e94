import { partsOfLine } from "../commands/parse-programs.ts";
import type { MistakePair } from "./mistake.schema.ts";

export interface Act {
  readonly command?: string | undefined;
  readonly file?: string | undefined;
  readonly text?: string | undefined;
}

const SAME_RATIO = 0.5;
const TELLING_LINE = /[\p{L}\p{N}](?:.*[\p{L}\p{N}]){5}/u;

export function repeatsMistake(act: Act, mistake: MistakePair): boolean {
  if (mistake.command !== undefined) {
    if (act.command === undefined) return false;
    const known = mistake.command;
    const isSame = mistake.how === "cured" ? hasTheSameWords : isOfTheSameKind;
    return splitCommands(act.command).some((command) =>
      splitCommands(known).some((other) => isSame(command, other)),
    );
  }
  if (mistake.wrote === undefined || act.text === undefined) return false;
  if (mistake.file !== undefined && act.file !== mistake.file) return false;
  const lines = new Set(splitLines(act.text));
  const telling = mistake.wrote.filter((line) => TELLING_LINE.test(line));
  return telling.some((line) => lines.has(line.trim()));
}

function splitCommands(line: string): readonly (readonly string[])[] {
  return partsOfLine(line).filter(([program]) => program !== "cd");
}

function hasTheSameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.join(" ") === b.join(" ");
}

function isOfTheSameKind(command: readonly string[], refused: readonly string[]): boolean {
  if (command[0] !== refused[0]) return false;
  const values = new Set(command);
  if (refused.some((word) => word.startsWith("-") && !values.has(word))) return false;
  const all = new Set([...command, ...refused]);
  const common = refused.filter((word) => values.has(word)).length;
  return common / all.size >= SAME_RATIO || isSubcommand(command, refused);
}

/** `npm install a b c` repeats `npm install d`: the subcommand is the same. */
function isSubcommand(command: readonly string[], refused: readonly string[]): boolean {
  const [, name] = refused;
  return name !== undefined && /^[a-z]+(?:[:-][a-z]+)*$/.test(name) && command[1] === name;
}

function splitLines(text: string): string[] {
  return text.split("\n").map((line) => line.trim());
}
