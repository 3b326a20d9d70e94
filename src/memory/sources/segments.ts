import type { PassageRole } from "./source.table.ts";

/** Whoever comes back after so long has begun with something else; milliseconds. */
const PAUSE_MS = 2 * 60 * 60 * 1000;
/** A sitting is longer than one subject; it is parted where a person speaks. */
const LONGEST = 40;

/** Where the newest segment of a source stands. */
export interface SegmentState {
  /** Counted from 1; 0 before the first. */
  readonly segment: number;
  /** How many passages it has. */
  readonly size: number;
  /** Timestamp of its last passage. */
  readonly lastAt: string | undefined;
}

interface Said {
  readonly role: PassageRole;
  readonly by: string;
  readonly occurred_at: string;
}

/** Which segment each passage that follows belongs to. */
export function segmentsOf(passages: readonly Said[], from: SegmentState): number[] {
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

/** Each commit or section is one of its own; a conversation is parted where a person begins anew. */
function startsSegment({ role, by, occurred_at: at }: Said, state: SegmentState): boolean {
  if (state.segment === 0 || role === "commit" || role === "section") return true;
  if (role !== "turn" || by !== "user") return false;
  // What another memory had read before is older than what stands here.
  const pause = Math.abs(Date.parse(at) - Date.parse(state.lastAt ?? at));
  return pause > PAUSE_MS || state.size >= LONGEST;
}
