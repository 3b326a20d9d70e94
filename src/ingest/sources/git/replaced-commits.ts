import { groupBy } from "../../../shared/collections.ts";
import type { Commit } from "./commits.ts";

type Written = Pick<Commit, "hash" | "email" | "authored" | "subject">;

/**
 * Commits of a branch that were replaced by others in it: an amended, rebased or picked commit keeps its
 * author and the time at which it was written. If several share author and second, the subject decides; a
 * single one left on each side is a match.
 */
export function replacedCommits(before: readonly Written[], now: readonly Written[]): string[] {
  const anew = groupBy(now, writing);
  return [...groupBy(before, writing)].flatMap(([written, old]) => {
    const others = anew.get(written) ?? [];
    const [same, different] = bySubject(old, others);
    const [, left] = bySubject(others, old);
    const isOne = different.length === 1 && left.length === 1;
    return [...same, ...(isOne ? different : [])].map(({ hash }) => hash);
  });
}

const writing = ({ email, authored }: Written) => `${email} ${authored}`;

/** Splits commits into those that share a subject with one of the others, and the rest. */
function bySubject(commits: readonly Written[], others: readonly Written[]) {
  const subjects = new Set(others.map(({ subject }) => subject));
  const isAmong = ({ subject }: Written) => subjects.has(subject);
  return [commits.filter(isAmong), commits.filter((one) => !isAmong(one))] as const;
}
