import type { PassageRole } from "./source.table.ts";

/** Pause after which a new topic is assumed. */
const PAUSE_MS = 2 * 60 * 60 * 1000;
const MAX_SEGMENT_SIZE = 40;

export interface SegmentState {
  /** 1-based; 0 before the first. */
  readonly segment: number;
  readonly size: number;
  readonly lastAt: string | undefined;
}

interface DatedTurn {
  readonly role: PassageRole;
  readonly by: string;
  readonly occurred_at: string;
}

export function assignSegments(passages: readonly DatedTurn[], from: SegmentState): number[] {
  let { segment, size, lastAt } = from;
  return passages.map((passage) => {
    if (startsSegment(passage, { segment, size, lastAt })) {
      segment += 1;
      size = 0;
    }
    size += 1;
    lastAt = passage.occurred_at;
    return segment;
  });
}

function startsSegment({ role, by, occurred_at: at }: DatedTurn, state: SegmentState): boolean {
  if (state.segment === 0 || role === "commit" || role === "section") return true;
  if (role !== "turn" || by !== "user") return false;
  const pause = Math.abs(Date.parse(at) - Date.parse(state.lastAt ?? at));
  return pause > PAUSE_MS || state.size >= MAX_SEGMENT_SIZE;
}
