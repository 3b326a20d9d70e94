/** Separators between commands; redirections such as `2>&1` and `&>` do not separate. */
const COMMAND_SEPARATOR = /&&|\|\||[;|\n]|(?<![>&])&(?![>&])|\$\(|`/;
/** Prefixes that only change how the program runs. */
const COMMAND_PREFIX =
  /^(?:\w+=\S*|sudo|time|env|command|exec|nohup|nice|xargs|then|do|if|while|!|\(|\{|timeout|\d+[smh]?)$/;
const MAX_PARTS = 12;
const MAX_CHARS = 4_000;

export function splitCommandLine(line: string): readonly (readonly string[])[] {
  return line
    .slice(0, MAX_CHARS)
    .split(COMMAND_SEPARATOR)
    .slice(0, MAX_PARTS)
    .map((part) => startAtProgram(part.trim().split(/\s+/).filter(Boolean)))
    .filter((words) => words.length > 0);
}

function startAtProgram(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !COMMAND_PREFIX.test(word));
  return start === -1 ? [] : words.slice(start);
}

export interface RunProgram {
  readonly program: string;
  /** Arguments that are not flags: `run`, `install`. */
  readonly words: readonly string[];
}

/** Programs that execute the program named in their arguments. */
const PACKAGE_RUNNERS: Readonly<Record<string, readonly string[]>> = {
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
  return splitCommandLine(command).flatMap(parsePart);
}

function parsePart(part: readonly string[]): RunProgram[] {
  const [first, ...rest] = startAtProgram(part);
  if (first === undefined) return [];
  const program = programName(first);
  const run = { program, words: rest.filter((word) => !word.startsWith("-")) };
  const by = PACKAGE_RUNNERS[program];
  if (by === undefined) return [run];
  const [verb, ...others] = rest;
  if (by.length > 0) return by.includes(verb ?? "") ? [run, ...parsePart(others)] : [run];
  return [run, ...parsePart(run.words)];
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
