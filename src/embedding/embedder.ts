/** Turns texts into vectors. What implements it is a provider; see `registry.ts`. */
export interface Embedder {
  /**
   * Names the model, so that a database can pin it: vectors of two identities must never be
   * compared. For example `minilm-l6-v2-u8:2b357389cc1e` or `ollama:nomic-embed-text`.
   */
  readonly identity: string;
  /** True where a query is read otherwise than what it is compared with. */
  readonly hasRoles?: boolean;
  /** How many texts one call takes well. */
  readonly batchSize: number;
  /**
   * L2-normalised vectors, one per text and in the order of the texts. A long text is cut into
   * windows whose vectors are averaged. Rejects with CairnError `unavailable` and a cure, or with
   * the signal's reason.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * Only of a model that may tell its tokens: the same as `embed` for a text that nothing precedes,
   * and the tokens with it. Rejects as `embed` does.
   */
  read?(texts: readonly TextInContext[], options?: EmbedOptions): Promise<Reading[]>;
  /**
   * Only of a model that runs in this process: the same as `read` for many passages, with the signs
   * of their tokens. Many are read in processes of their own, so that this one stays free.
   */
  readMany?(texts: readonly TextInContext[], options?: ReadManyOptions): Promise<SignedReading[]>;
  /** Frees the model. A later `embed` loads it again. */
  close(): Promise<void>;
}

export interface TextInContext {
  readonly text: string;
  /** What was said just before it; the model reads the end of it, and only the text is embedded. */
  readonly before: string;
}

/** What a model makes of a text. */
export interface Reading {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** In the order of the text; none where the model turns out to tell none. */
  readonly tokens: readonly TokenReading[];
}

/** What is stored of a text: late interaction compares the signs of its first tokens. */
export interface SignedReading {
  /** L2-normalised. */
  readonly vector: Float32Array;
  /** Those of each token, one after the other; undefined where the model tells no tokens. */
  readonly signs: Buffer | undefined;
}

export type ReadManyOptions = Pick<EmbedOptions, "signal">;

export interface TokenReading {
  /** The word, or the piece of one, that the model read, in lower case. */
  readonly text: string;
  /** Not normalised. */
  readonly vector: Float32Array;
}

/** What a text is to the model: what is asked, or what may answer. */
export type TextRole = "query" | "passage";

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default `passage`: what is remembered. */
  readonly role?: TextRole | undefined;
}
