import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { meta } from "../context/meta.table.ts";

const sweepMark = z.object({
  /** Number of the last event of this memory whose claim was held against the layer. */
  own: z.number().int(),
  /** Number of the last event of the layer whose claim was held against this memory. */
  farther: z.number().int(),
  /** Claims of both that were held against each other by now. */
  held: z.number().int(),
});

/** How far the sweep for contradictions with one farther layer came. */
export type SweepMark = z.output<typeof sweepMark>;

export const AT_THE_BEGINNING: SweepMark = { own: 0, farther: 0, held: 0 };

const keyOf = (layer: string) => `contradictions:${layer}`;

export async function readSweepMark(tx: Tx, layer: string): Promise<SweepMark> {
  const [row] = await tx
    .select()
    .from(meta)
    .where(eq(meta.key, keyOf(layer)));
  return row === undefined ? AT_THE_BEGINNING : sweepMark.parse(JSON.parse(row.value));
}

/** Nothing where it stands elsewhere by now: another server sweeps the same database, and counts what it held. */
export async function moveSweepMark(
  tx: Tx,
  layer: string,
  { from, to }: { readonly from: SweepMark; readonly to: SweepMark },
): Promise<void> {
  const now = await readSweepMark(tx, layer);
  if (now.own !== from.own || now.farther !== from.farther || now.held !== from.held) return;
  const value = JSON.stringify(to);
  await tx
    .insert(meta)
    .values({ key: keyOf(layer), value })
    .onConflictDoUpdate({ target: meta.key, set: { value } });
}
