import { readFile } from "node:fs/promises";
import { isMissingFile } from "../errors.ts";
import { jsonIn } from "../json.ts";
import { readHeads } from "./chain-heads.ts";
import { BEGINNING, type ChainKind, type ChainLink, hashOf } from "./chain-link.ts";
import { type ChainPlace, earlierParts } from "./chain-place.ts";

export interface CheckedChain {
  /** How many entries hold: up to the first that does not. */
  readonly count: number;
  /** Where the log was changed, cut or broken, in words; undefined: it holds. */
  readonly problem: string | undefined;
  /** The number of the first entry that does not hold. */
  readonly brokenAt: number | undefined;
  /** What is to be known of a log that holds: a write was killed. */
  readonly notice: string | undefined;
}

/**
 * Reads a log part by part, hands on each entry that holds, and checks its chain, and against its
 * heads that nothing was cut from its end.
 */
export async function readChain<Said extends object>(
  place: ChainPlace,
  kind: ChainKind<Said>,
  onEntry: (entry: Said & ChainLink) => void,
): Promise<CheckedChain> {
  const { last: head, problem: headProblem } = await readHeads(place);
  const first = head?.first ?? 1;
  let last = first - 1;
  let count = 0;
  let hashAtHead: string | undefined;
  const problem = (what: string, brokenAt = last + 1): CheckedChain => ({
    ...{ count, problem: what, brokenAt, notice: undefined },
  });
  // A write that was killed left the last line half; what is whole ends with a break.
  let half = "";
  let before = first === 1 ? BEGINNING : undefined;
  for (const path of [...(await earlierParts(place)), place.file]) {
    if (half !== "") return problem(`Entry ${last + 1} is not whole.`);
    const lines = (await readIfThere(path)).split("\n");
    half = lines.pop() ?? "";
    for (const line of lines) {
      const n = last + 1;
      const entry = kind.entry.safeParse(jsonIn(line)).data;
      if (entry === undefined) return problem(`Entry ${n} cannot be read.`);
      // Of a part that was to go when the write was killed.
      if (entry.n < first) continue;
      if (entry.n !== n) return problem(`Entry ${n} is missing.`);
      if (before !== undefined && entry.before !== before) {
        return problem(`Entry ${n} does not follow the one before it.`);
      }
      if (entry.hash !== hashOf(entry)) return problem(`Entry ${n} was changed.`);
      const broken = kind.brokenBefore(entry);
      if (broken !== undefined) return problem(broken);
      onEntry(entry);
      if (n === head?.n) hashAtHead = entry.hash;
      before = entry.hash;
      last = n;
      count += 1;
    }
  }
  if (headProblem !== undefined) return problem(headProblem);
  if (head === undefined && count > 0) return problem("Its head is missing.");
  if (head !== undefined && head.n > last) {
    return problem(`Entries ${last + 1} to ${head.n} were cut off.`);
  }
  if (head !== undefined && head.n > 0 && hashAtHead !== head.hash) {
    return problem(`Entry ${head.n} is not the one that was written.`, head.n);
  }
  const notice =
    half === ""
      ? undefined
      : "The last line was left half by a write that was killed; the next entry says so.";
  return { count, problem: undefined, brokenAt: undefined, notice };
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissingFile(error)) return "";
    throw error;
  }
}
