import { groupBy } from "../../kernel/group-by.ts";
import type { Commit } from "./commits.ts";

type Written = Pick<Commit, "hash" | "email" | "authored" | "subject">;

/**
 * Of commits that a branch had, those that stand in it anew: amended, rebased or picked, a commit keeps
 * its author and the time at which it was written. Of several of one author and second the subject
 * tells which is which, and one that is left over on either side is the same one.
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

/** Those that have the subject of one of the others, and those that have not. */
function bySubject(commits: readonly Written[], others: readonly Written[]) {
  const subjects = new Set(others.map(({ subject }) => subject));
  const isAmong = ({ subject }: Written) => subjects.has(subject);
  return [commits.filter(isAmong), commits.filter((one) => !isAmong(one))] as const;
}
