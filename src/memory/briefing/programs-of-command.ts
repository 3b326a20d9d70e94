/** A program that a command line runs, with the words that follow it. */
export interface RunProgram {
  /** Without its folder and ending. */
  readonly program: string;
  /** The words after it that are no flags: `run`, `install`. */
  readonly words: readonly string[];
}

const PARTS = /&&|\|\||[;|\n&]|\$\(|`/;
/** Words before a program that change only how it is run. */
const BEFORE =
  /^(?:\w+=\S*|sudo|time|env|command|exec|nohup|nice|xargs|then|do|if|while|!|\(|\{|timeout|\d+[smh]?)$/;
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
const MOST_PARTS = 12;

/** The programs that a command line runs, those that others run for it included. */
export function programsOf(command: string): readonly RunProgram[] {
  return command
    .slice(0, 4000)
    .split(PARTS)
    .slice(0, MOST_PARTS)
    .flatMap((part) => programsOfPart(part.trim().split(/\s+/).filter(Boolean)));
}

function programsOfPart(words: readonly string[]): RunProgram[] {
  const start = words.findIndex((word) => !BEFORE.test(word));
  const first = words[start];
  if (first === undefined) return [];
  const program = nameOf(first);
  const rest = words.slice(start + 1);
  const run = { program, words: rest.filter((word) => !word.startsWith("-")) };
  const by = RUNNERS[program];
  if (by === undefined) return [run];
  const [verb, ...others] = rest;
  if (by.length > 0) return by.includes(verb ?? "") ? [run, ...programsOfPart(others)] : [run];
  return [run, ...programsOfPart(rest.filter((word) => !word.startsWith("-")))];
}

function nameOf(word: string): string {
  const name =
    word
      .replaceAll(/^["'(]+|["')]+$/g, "")
      .split(/[/\\]/)
      .at(-1) ?? word;
  return name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase();
}

/** What two runs of one command have in common: the program and the first words behind it. */
export function commandKey(command: string): string {
  const [first] = programsOf(command);
  if (first === undefined) return "";
  return [first.program, ...first.words.slice(0, 2)].join(" ");
}
