/** Turns texts into vectors. What implements it is a provider; see `registry.ts`. */
export interface Embedder {
  /**
   * Names the model, so that a database can pin it: vectors of two identities must never be
   * compared. For example `minilm-l6-v2-u8:2b357389cc1e` or `ollama:nomic-embed-text`.
   */
  readonly identity: string;
  /** How many texts one call takes well. */
  readonly batchSize: number;
  /**
   * L2-normalised vectors, one per text and in the order of the texts. A long text is cut into
   * windows whose vectors are averaged. Rejects with CairnError `unavailable` and a cure, or with
   * the signal's reason.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Frees the model. A later `embed` loads it again. */
  close(): Promise<void>;
}

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
}
