import type { OutputOf } from "../../../memory/index.ts";

/** Episodes that belong together and wait for a review. */
export type PendingBatch = OutputOf<"pending_batches">["batches"][number];

export function keyOfBatch({ reason, name, episodes }: PendingBatch): string {
  return `${reason} ${name} ${episodes[0]?.id}`;
}
