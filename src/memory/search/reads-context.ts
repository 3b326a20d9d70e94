import { type Embedder, type EmbedOptions, UNRELATED_SENTENCES } from "../../embedding/index.ts";

/**
 * Whether a text's vector depends on what precedes it. Tried rather than asked: a server tells only
 * vectors, and a model in a folder may pool in a way that cannot tell a text from what precedes it.
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
