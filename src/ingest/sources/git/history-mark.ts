/** How far a history was read. */
export interface HistoryMark {
  /** The newest commit that was read. */
  readonly commit: string;
  /** Whether only the newest commits were read, so that earlier ones are missing. */
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
