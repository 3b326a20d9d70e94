import { eq } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { notFound } from "../../shared/errors.ts";
import { shorten } from "../../shared/text.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import type { FilterContext } from "../filters/define-filter.ts";
import { kindOfId } from "../input/item-ids.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { recallInput } from "./recall.schema.ts";
import { recall } from "./recall.ts";
import type { MeantItem } from "./why-not.schema.ts";

/**
 * True if a text given in place of an id may be words. A single word is ambiguous: only the
 * database can
 * tell.
 */
export function mayBeWords(text: string): boolean {
  const kind = kindOfId(text);
  return kind === undefined || kind === "concept" || (kind === "entity" && /\s/.test(text));
}

/** The recall request that finds the item meant by words. */
export const requestOfWords = (words: string) =>
  recallInput.parse({ query: words, k: 3, episode_k: 5 });

const TEXT_CHARACTERS = 300;

/**
 * The first item that these words find, and what else they may mean; undefined if the text is the id of a
 * concept. Throws not_found if the words find nothing.
 */
export async function itemOfWords(
  context: FilterContext & Pick<WriteContext, "tellDamage">,
  words: string,
  prepared: PreparedRecall,
): Promise<{ readonly id: string; readonly meant: MeantItem } | undefined> {
  if (await isConcept(context.tx, words)) return undefined;
  const found = await recall(context, requestOfWords(words), prepared);
  const [first, ...others] = [
    ...found.concepts
      .filter(({ facts }) => facts === undefined)
      .map(({ id, score, title }) => ({ id, score, text: title })),
    ...found.episodes.map(({ id, score, content }) => ({ id, score, text: content })),
  ].sort((a, b) => b.score - a.score);
  if (first === undefined) {
    throw notFound(
      `id: nothing is found by "${shorten(words, 80)}". Say it in other words, or give its id, such as ep:3.`,
    );
  }
  const told = ({ id, text }: { id: string; text: string }) => ({
    id,
    text: shorten(text, TEXT_CHARACTERS),
  });
  return { id: first.id, meant: { text: told(first).text, others: others.map(told) } };
}

async function isConcept(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id))
    .limit(1);
  return found.length > 0;
}
