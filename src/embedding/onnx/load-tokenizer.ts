import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface ModelTokenizer {
  /** Ids placed before every text, and after it. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Tokenizes a text of any length, without those ids. */
  tokenize(text: string): ModelToken[];
}

export interface ModelToken {
  readonly id: number;
  /** The token in lower case, without the sign for the start of a word. */
  readonly text: string;
}

/** Signs by which SentencePiece and byte-level vocabularies mark the start of a word. */
const WORD_BEGINS = /^[▁Ġ]+/u;
/** Tokenized once to find the ids that surround every text. */
const SAMPLE = "a";

/**
 * Loads the tokenizer of a folder from `tokenizer.json` and, if present, `tokenizer_config.json`.
 */
export async function loadTokenizer(folder: string): Promise<ModelTokenizer> {
  const [{ Tokenizer }, tokenizer, config] = await Promise.all([
    import("@huggingface/tokenizers"),
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")).catch(() => ({})),
  ]);
  const loaded = new Tokenizer(tokenizer, config);
  const plain = loaded.encode(SAMPLE, { add_special_tokens: false }).ids;
  const marked = loaded.encode(SAMPLE).ids;
  const start = Math.max(0, marked.indexOf(plain[0] ?? -1));
  return {
    before: marked.slice(0, start),
    after: marked.slice(start + plain.length),
    tokenize(text) {
      if (text === "") return [];
      const { ids, tokens } = loaded.encode(text, { add_special_tokens: false });
      return ids.map((id: number, index: number) => ({
        id,
        text: (tokens[index] ?? "").replace(WORD_BEGINS, "").toLowerCase(),
      }));
    },
  };
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
}
