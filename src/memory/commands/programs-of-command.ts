import { fromProgram, partsOfLine } from "./parts-of-line.ts";

/** A program that a command line runs, with the words that follow it. */
export interface RunProgram {
  /** Without its folder and ending. */
  readonly program: string;
  /** The words after it that are no flags: `run`, `install`. */
  readonly words: readonly string[];
}

/** Programs that run the one that is named after them. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npx: [],
  pnpx: [],
  bunx: [],
  uvx: [],
  pipx: ["run"],
  pnpm: ["exec", "dlx"],
  npm: ["exec"],
  yarn: ["exec", "dlx"],
  bun: ["x"],
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  python: ["-m"],
  python3: ["-m"],
};

/** The programs that a command line runs, those that others run for it included. */
export function programsOf(command: string): readonly RunProgram[] {
  return partsOfLine(command).flatMap(programsOfPart);
}

function programsOfPart(part: readonly string[]): RunProgram[] {
  const [first, ...rest] = fromProgram(part);
  if (first === undefined) return [];
  const program = nameOf(first);
  const run = { program, words: rest.filter((word) => !word.startsWith("-")) };
  const by = RUNNERS[program];
  if (by === undefined) return [run];
  const [verb, ...others] = rest;
  if (by.length > 0) return by.includes(verb ?? "") ? [run, ...programsOfPart(others)] : [run];
  return [run, ...programsOfPart(run.words)];
}

function nameOf(word: string): string {
  const name =
    word
      .replaceAll(/^["'(]+|["')]+$/g, "")
      .split(/[/\\]/)
      .at(-1) ?? word;
  return name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase();
}

export function commandKey(command: string): string {
  const [first] = programsOf(command);
  if (first === undefined) return "";
  return [first.program, ...first.words.slice(0, 2)].join(" ");
}
