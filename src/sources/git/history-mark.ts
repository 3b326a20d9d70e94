/** How far a history was read. */
export interface HistoryMark {
  /** The newest commit that was read. */
  readonly commit: string;
  /** Only the newest commits were read: there are earlier ones that were not. */
  readonly isPart: boolean;
}

const PART = " newest";

export function parseHistoryMark(mark: string | undefined): HistoryMark | undefined {
  if (mark === undefined) return undefined;
  const isPart = mark.endsWith(PART);
  return { commit: isPart ? mark.slice(0, -PART.length) : mark, isPart };
}

export function writeHistoryMark({ commit, isPart }: HistoryMark): string {
  return isPart ? `${commit}${PART}` : commit;
}
