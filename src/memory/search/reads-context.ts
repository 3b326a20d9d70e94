import { type Embedder, type EmbedOptions, UNRELATED_SENTENCES } from "../../embedding/index.ts";

/**
 * True if a text's vector depends on the text before it. It is measured, because a server returns
 * only
 * vectors, and a model in a folder may pool in a way that cannot separate a text from its context.
 */
export async function readsContext(
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<boolean> {
  const [text = "", before = ""] = UNRELATED_SENTENCES;
  const readings = await embedder.read?.(
    [
      { text, before: "" },
      { text, before },
    ],
    options,
  );
  const [alone, after] = readings ?? [];
  return alone?.vector.some((value, index) => value !== after?.vector[index]) ?? false;
}
