import type { ReadCommand } from "../permission/command-reading.ts";
import { riskOf } from "../permission/command-risks.ts";
import { readCommand } from "../permission/read-command.ts";

/** Kinds of programs that the broker may log in for. */
export const LENT_KINDS = ["git", "npm", "pip", "cargo"] as const;

export type LentKind = (typeof LENT_KINDS)[number];

interface LentPrograms {
  readonly kinds: readonly LentKind[];
  /** One of them sends to others. */
  readonly publishes: boolean;
  /** A program of the command for which nothing may be lent; then nothing is lent to the command. */
  readonly beside: string | undefined;
}

const KIND_OF: Readonly<Record<string, LentKind>> = {
  ...{ git: "git", npm: "npm", pnpm: "npm", pip: "pip", pip3: "pip", cargo: "cargo" },
};

/**
 * They run nothing that stands in the project, and so may stand beside a program that logs in: the address
 * is good for the whole command, and what runs in it could use it.
 */
const BESIDE = new Set([
  ...[
    "cd",
    "pushd",
    "popd",
    "pwd",
    "echo",
    "printf",
    "true",
    "false",
    "test",
    "[",
    "sleep",
    "exit",
  ],
  ...["cat", "head", "tail", "grep", "wc", "sort", "uniq", "cut", "tr", "ls", "date", "set", "tee"],
]);

/** Which programs of a command log in; undefined: none, or nobody can tell. */
export function lentPrograms(command: string): LentPrograms | undefined {
  const reading = readCommand(command);
  if (reading.kind === "unreadable") return undefined;
  const named = reading.commands.filter(({ words }) => words.length > 0);
  const kinds = new Set(named.flatMap((one) => kindOf(one) ?? []));
  if (kinds.size === 0) return undefined;
  // What installs runs scripts of others: those are not lent what another program is lent.
  const [kind, further] = kinds;
  const beside = named.find((one) => {
    const own = kindOf(one);
    return own === undefined
      ? !BESIDE.has(one.words[0] ?? "")
      : further !== undefined && own !== kind;
  });
  return {
    kinds: [...kinds],
    publishes: named.some((one) => kindOf(one) !== undefined && riskOf(one.words) === "publish"),
    beside: beside?.words[0],
  };
}

/**
 * Undefined: it does not log in, as `npm test`. `python -m pip` is pip. A cargo that another program starts is
 * not the one that is led.
 */
function kindOf({ words, isStarted }: ReadCommand): LentKind | undefined {
  const [program = "", first, second] = words;
  if (/^python[0-9.]*$/.test(program) && first === "-m" && second === "pip") return "pip";
  const kind = Object.hasOwn(KIND_OF, program) ? KIND_OF[program] : undefined;
  const risk = riskOf(words);
  if (kind !== "git" && risk !== "network" && risk !== "publish") return undefined;
  return kind === "cargo" && isStarted ? undefined : kind;
}
