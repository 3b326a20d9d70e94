import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { passageId } from "../input/item-ids.ts";
import type { Claim } from "../proposals/claim.ts";
import { passages, sources } from "../sources/source.table.ts";

/** What a source is called where it comes from. */
export interface SourceName {
  readonly kind: string;
  readonly key: string;
}

/** The claim with the passage of its session that holds its words, where it names none. */
export async function withPassage<Of extends Claim>(
  tx: Tx,
  claim: Of,
  source: SourceName | undefined,
): Promise<Of> {
  const { quotation, evidence = [] } = claim;
  if (source === undefined || quotation === undefined || evidence.length > 0) return claim;
  const [found] = await tx
    .select({ id: passages.id })
    .from(passages)
    .innerJoin(sources, eq(sources.id, passages.sourceId))
    .where(
      and(
        eq(sources.kind, source.kind),
        eq(sources.key, source.key),
        isNull(sources.deletedAt),
        isNull(passages.deletedAt),
        contains(sql`${passages.content}`, sql`${quotation}`),
      ),
    )
    .orderBy(desc(passages.id))
    .limit(1);
  return found === undefined ? claim : { ...claim, evidence: [passageId(found.id)] };
}
