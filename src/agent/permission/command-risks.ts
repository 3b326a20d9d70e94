import { PLAIN_SETTING } from "./git-readers.ts";
import { PROGRAMS, type Program, type Risk } from "./risky-programs.ts";

export type { Risk };

export const RISK_REASONS: Readonly<Record<Risk, string>> = {
  network: "it reaches the network",
  publish: "others will see what it sends",
  delete: "it deletes or overwrites files that may not be in git",
  privilege: "it runs as another user",
  keys: "it shows your credentials",
  config: "it changes what other programs run later",
  programs: "it names programs that git runs",
  forbidden: "only you may trust a project",
};

export function findCommandRisk(words: readonly string[]): Risk | undefined {
  const [program = "", ...rest] = words;
  if (isOwnTrust(words)) return "forbidden";
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known === undefined) return undefined;
  if (known.always !== undefined) return known.always;
  const places = subcommandsAt(rest, known);
  const before = rest.slice(0, places.at(-1));
  const risks = [
    ...(known.words ?? []).flatMap(([pattern, risk]) => (rest.some(matching(pattern)) ? risk : [])),
    ...(known.options ?? []).flatMap(([pattern, risk]) =>
      before.some(matching(pattern)) ? risk : [],
    ),
    ...places.flatMap((at) => findSubcommandRisk(program, rest.slice(at), known) ?? []),
  ];
  return RISKS_BY_SEVERITY.find((risk) => risks.includes(risk));
}

const matching = (pattern: RegExp) => (word: string) => pattern.test(word);

const RISKS_BY_SEVERITY: readonly Risk[] = [
  ...(["forbidden", "keys", "publish", "network", "privilege"] as const),
  ...(["config", "delete", "programs"] as const),
];

function findSubcommandRisk(
  program: string,
  [sub = "", ...rest]: readonly string[],
  known: Program,
): Risk | undefined {
  if (program === "git" && discardsNothing(sub, rest)) return undefined;
  const begun =
    known.runs === undefined ? undefined : findStartedRisk(program, [sub, ...rest], known);
  if (begun !== undefined) return begun;
  if (known.sub === undefined) return undefined;
  if (/[$`*]/.test(sub)) return "config";
  const byWord = known.subWords?.[sub];
  if (byWord !== undefined && rest.some((word) => byWord[0].test(word))) return byWord[1];
  return lookUpRisk(known.sub, `${sub} ${rest[0] ?? ""}`) ?? lookUpRisk(known.sub, sub);
}

/** True if git reads, changes its index, or moves to a commit without losing changes. */
function discardsNothing(sub: string, rest: readonly string[]): boolean {
  const [first, ...others] = rest;
  switch (sub) {
    case "config":
      return isRead(rest);
    case "remote":
      return rest.every((word) => word === "-v");
    case "restore":
      return first === "--staged" && others.length > 0 && others.every(isOperand);
    case "checkout":
      // The first word names a new branch, so the next one cannot be a path.
      return rest.some((word) => /^-q?b$/.test(word)) && rest.every(isPlainCheckout);
    default:
      return false;
  }
}

const isOperand = (word: string) => word === "-" || !word.startsWith("-");
const isPlainCheckout = (word: string) =>
  isOperand(word) || /^(-q?b|-q|-t|--quiet|--track|--no-track|--detach)$/.test(word);

/** The commit that `git checkout` moves to; undefined if it could be a path. */
export function findCheckedOut([program, sub, ...rest]: readonly string[]): string | undefined {
  if (program !== "git" || sub !== "checkout" || !rest.every(isPlainCheckout)) return undefined;
  const [only, ...others] = rest.filter(isOperand);
  return others.length === 0 && /^(-|[\w@][\w./@{}~^+-]*)$/.test(only ?? "") ? only : undefined;
}

/** Number of words without a dash that are tried as the program that a launcher starts. */
const MAX_TRIED = 3;

/** Risk of the program that `python -m`, `poetry run` or `yarn workspace a` starts. */
function findStartedRisk(program: string, words: readonly string[], { runs = [] }: Program) {
  const at = runs.includes("") ? -1 : words.findIndex((word) => runs.includes(word));
  if (at === -1 && !runs.includes("")) return undefined;
  const begun = words.slice(at + 1);
  const starts = begun.flatMap((word, index) => (word.startsWith("-") ? [] : [index]));
  const risks = starts.slice(0, MAX_TRIED).flatMap((start) => {
    const inner = begun.slice(start);
    return [
      findCommandRisk(inner),
      program === "yarn" ? findCommandRisk([program, ...inner]) : undefined,
    ];
  });
  return RISKS_BY_SEVERITY.find((risk) => risks.includes(risk));
}

/** Removes the options before the subcommand: `git push` from `git -C . push`. */
export function withoutOptions(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known?.sub === undefined) return words;
  return [program, ...rest.slice(subcommandAt(rest, known.valued ?? []))];
}

/** Returns the words that name the action: `git push`, `npm run build`. */
export function operandWords(words: readonly string[]): readonly string[] {
  const [program = "", ...rest] = words;
  const known = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (known?.sub === undefined) return [program];
  const at = subcommandAt(rest, known.valued ?? []);
  if (at !== 0) return words;
  const sub = rest[0];
  if (sub === undefined) return [program];
  return sub === "run" && rest[1] !== undefined ? [program, sub, rest[1]] : [program, sub];
}

/** `user.name`, `--get user.name`. */
function isRead(words: readonly string[]): boolean {
  const [name = "", ...rest] = words[0] === "--get" ? words.slice(1) : words;
  return rest.length === 0 && PLAIN_SETTING.test(name);
}

function isOwnTrust(words: readonly string[]): boolean {
  return words.some((word) => /(^|\/)cairn(\.js)?$/.test(word)) && words.includes("trust");
}

function subcommandAt(words: readonly string[], valued: readonly string[]): number {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) break;
    if (valued.includes(word)) at += 1;
  }
  return at;
}

function subcommandsAt(words: readonly string[], known: Program): readonly number[] {
  const { valued = [], plain } = known;
  // An option may name another program: `python -m`.
  const found: number[] = known.runs?.some((word) => word.startsWith("-")) === true ? [0] : [];
  let mayTakeValue = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (valued.includes(word)) at += 1;
    else if (word.startsWith("-")) {
      mayTakeValue = !word.includes("=") && plain?.test(word) !== true;
      continue;
    } else if (!word.startsWith("+")) {
      found.push(at);
      if (!mayTakeValue) break;
    }
    mayTakeValue = false;
  }
  return found;
}

function lookUpRisk(table: Readonly<Record<string, Risk>>, name: string): Risk | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
