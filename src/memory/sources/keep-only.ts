import { and, eq, inArray, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { SourceRow } from "./source.queries.ts";
import { passages } from "./source.table.ts";

interface Reading {
  readonly passages: readonly { readonly key: string }[];
  readonly gone?: readonly string[] | undefined;
  readonly complete?: boolean | undefined;
}

/**
 * Of a source that was read as a whole, or that says what it lost, soft-deletes what it does not have
 * any more, and brings back what it has again. Returns how many of each.
 */
export async function keepOnly(
  context: WriteContext,
  known: SourceRow | undefined,
  { passages: given, gone: lost, complete }: Reading,
): Promise<{ readonly back: number; readonly gone: number }> {
  if (known === undefined || (complete !== true && lost === undefined)) return { back: 0, gone: 0 };
  const keys = new Set(given.map(({ key }) => key));
  const left = new Set(lost);
  const isGone = (key: string) => !keys.has(key) && (complete === true || left.has(key));
  const rows =
    complete === true
      ? await rowsOf(context.tx, eq(passages.sourceId, known.id))
      : await loadInBatches([...keys, ...left], (slice) =>
          rowsOf(
            context.tx,
            and(eq(passages.sourceId, known.id), inArray(passages.key, [...slice])),
          ),
        );
  const gone = rows.filter(({ key, deletedAt }) => deletedAt === null && isGone(key));
  const back = rows.filter(({ key, deletedAt }) => deletedAt !== null && keys.has(key));
  await setDeletedAt(context, { rows: gone, deletedAt: context.now });
  await setDeletedAt(context, { rows: back, deletedAt: null });
  return { back: back.length, gone: gone.length };
}

function rowsOf(tx: Tx, where: SQL | undefined) {
  return tx
    .select({ id: passages.id, key: passages.key, deletedAt: passages.deletedAt })
    .from(passages)
    .where(where);
}

interface Marked {
  readonly rows: readonly { readonly id: number }[];
  readonly deletedAt: string | null;
}

async function setDeletedAt({ tx, touch }: WriteContext, { rows, deletedAt }: Marked) {
  const numbers = rows.map(({ id }) => id);
  await loadInBatches(numbers, async (slice) => {
    await tx.update(passages).set({ deletedAt }).where(inArray(passages.id, slice));
    return [];
  });
  for (const number of numbers) touch("passage", number);
}
