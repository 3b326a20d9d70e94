/** Turns texts into vectors. Its implementations are the providers; see `registry.ts`. */
export interface Embedder {
  /**
   * Names the model, so that a database can pin it: vectors of two identities must never be
   * compared. For example `minilm-l6-v2-u8:2b357389cc1e` or `ollama:nomic-embed-text`.
   */
  readonly identity: string;
  /** True if the model reads queries in another way than passages. */
  readonly hasRoles?: boolean;
  /** The number of texts that one call handles well. */
  readonly batchSize: number;
  /**
   * L2-normalised vectors, one per text and in the order of the texts. A long text is cut into
   * windows whose vectors are averaged. Rejects with CairnError `unavailable` and a cure, or with
   * the signal's reason.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Only for models that provide their tokens: the same as `embed` for a text without a
   * predecessor, and its tokens as well. Rejects as `embed` does.
   */
  read?(texts: readonly TextInContext[], options?: EmbedOptions): Promise<Reading[]>;
  /**
   * Only for models that run in this process: the same as `read` for many passages, with the signs
   * of their tokens. Many texts are read in processes of their own, so that this one stays
   * responsive.
   */
  readMany?(texts: readonly TextInContext[], options?: ReadManyOptions): Promise<SignedReading[]>;
  /** Frees the model. A later `embed` loads it again. */
  close(): Promise<void>;
}

export interface TextInContext {
  readonly text: string;
  /** The text before it. The model reads its end, and only `text` is embedded. */
  readonly before: string;
}

export interface Reading {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** In the order of the text; empty if the model turns out to provide no tokens. */
  readonly tokens: readonly TokenReading[];
}

export interface SignedReading {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** The signs of all tokens, one after another; undefined if the model provides no tokens. */
  readonly signs: Buffer | undefined;
}

export type ReadManyOptions = Pick<EmbedOptions, "signal">;

export interface TokenReading {
  /** The word, or the piece of one, that the model read, in lower case. */
  readonly text: string;
  /** Not normalised. */
  readonly vector: Float32Array;
}

/** The role of a text: a question, or a text that may answer it. */
export type TextRole = "query" | "passage";

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: `passage`, the role of stored items. */
  readonly role?: TextRole | undefined;
}
