/** Separators between commands; redirections such as `2>&1` and `&>` do not separate. */
const BETWEEN = /&&|\|\||[;|\n]|(?<![>&])&(?![>&])|\$\(|`/;
/** Prefixes that only change how the program runs. */
const BEFORE =
  /^(?:\w+=\S*|sudo|time|env|command|exec|nohup|nice|xargs|then|do|if|while|!|\(|\{|timeout|\d+[smh]?)$/;
const MAX_PARTS = 12;
const MAX_CHARS = 4_000;

export function partsOfLine(line: string): readonly (readonly string[])[] {
  return line
    .slice(0, MAX_CHARS)
    .split(BETWEEN)
    .slice(0, MAX_PARTS)
    .map((part) => fromProgram(part.trim().split(/\s+/).filter(Boolean)))
    .filter((words) => words.length > 0);
}

function fromProgram(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !BEFORE.test(word));
  return start === -1 ? [] : words.slice(start);
}

export interface RunProgram {
  readonly program: string;
  /** Arguments that are not flags: `run`, `install`. */
  readonly words: readonly string[];
}

/** Programs that execute the program named in their arguments. */
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

export function parsePrograms(command: string): readonly RunProgram[] {
  return partsOfLine(command).flatMap(programsOfPart);
}

function programsOfPart(part: readonly string[]): RunProgram[] {
  const [first, ...rest] = fromProgram(part);
  if (first === undefined) return [];
  const program = programName(first);
  const run = { program, words: rest.filter((word) => !word.startsWith("-")) };
  const by = RUNNERS[program];
  if (by === undefined) return [run];
  const [verb, ...others] = rest;
  if (by.length > 0) return by.includes(verb ?? "") ? [run, ...programsOfPart(others)] : [run];
  return [run, ...programsOfPart(run.words)];
}

function programName(word: string): string {
  const name =
    word
      .replaceAll(/^["'(]+|["')]+$/g, "")
      .split(/[/\\]/)
      .at(-1) ?? word;
  return name.replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase();
}

export function commandKey(command: string): string {
  const [first] = parsePrograms(command);
  if (first === undefined) return "";
  return [first.program, ...first.words.slice(0, 2)].join(" ");
}
