import { diffWordsWithSpace } from "diff";

/** A part of a changed line, and whether the other line lacks it. */
export interface MarkedPart {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Longer lines are data, and so are those that have little in common. */
const LONGEST = 1_000;
const LEAST_COMMON = 0.3;

/** What differs between a line and the one that replaced it; undefined where that is nearly all. */
export function markWords(
  before: string,
  after: string,
): { readonly before: readonly MarkedPart[]; readonly after: readonly MarkedPart[] } | undefined {
  if (before.length > LONGEST || after.length > LONGEST) return undefined;
  const changes = diffWordsWithSpace(before, after);
  const common = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  const longer = Math.max(before.trim().length, after.trim().length);
  if (longer === 0 || common / longer < LEAST_COMMON) return undefined;
  return {
    before: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    after: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}
