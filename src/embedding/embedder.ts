export interface Embedder {
  /**
   * Model id that a database can pin: vectors of two identities are not comparable. Example:
   * `minilm-l6-v2-u8:2b357389cc1e` or `ollama:nomic-embed-text`.
   */
  readonly identity: string;
  /** True if the model encodes queries differently from passages. */
  readonly hasRoles?: boolean;
  readonly batchSize: number;
  /**
   * Returns L2-normalized vectors in the order of the texts. A long text is split into windows
   * whose vectors are averaged. Rejects with CairnError `unavailable` and a cure, or with the
   * signal's reason.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** Like `embed`, with tokens and preceding context. Only for models that provide tokens. */
  read?(texts: readonly TextInContext[], options?: EmbedOptions): Promise<Reading[]>;
  /**
   * Like `read` for many passages, with the sign bits of their tokens. Only for local models. Many
   * texts are read in separate processes, so that this one remains responsive.
   */
  readMany?(texts: readonly TextInContext[], options?: ReadManyOptions): Promise<SignedReading[]>;
  close(): Promise<void>;
}

export interface TextInContext {
  readonly text: string;
  /** Preceding text. The model reads its end, and only `text` is embedded. */
  readonly before: string;
}

export interface Reading {
  readonly vector: Float32Array;
  /** In text order; empty if the model provides no tokens. */
  readonly tokens: readonly TokenReading[];
}

export interface SignedReading {
  readonly vector: Float32Array;
  /** Concatenated sign bits of all tokens; undefined if the model provides no tokens. */
  readonly signBits: Buffer | undefined;
}

export type ReadManyOptions = Pick<EmbedOptions, "signal">;

export interface TokenReading {
  /** Lower-case word or word piece. */
  readonly text: string;
  readonly vector: Float32Array;
}

export type TextRole = "query" | "passage";

export interface EmbedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Default: `passage`, the role of stored items. */
  readonly role?: TextRole | undefined;
}

/** Stored tokens per item, 48 bytes each. Vector and text index cover longer texts. */
const MAX_TOKENS = 128;

export function signedReading(reading: Reading): SignedReading {
  const { vector, tokens } = reading;
  return { vector, signBits: tokens.length === 0 ? undefined : encodeTokenSigns(reading) };
}

export function encodeTokenSigns({ tokens }: Reading): Buffer {
  return Buffer.concat(tokens.slice(0, MAX_TOKENS).map(({ vector }) => signBits(vector)));
}

export function normalise(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += (vector[i] ?? 0) ** 2;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  const normalised = new Float32Array(vector.length);
  for (let i = 0; i < vector.length; i++) normalised[i] = (vector[i] ?? 0) * scale;
  return normalised;
}

export function normalisedMean(vectors: readonly ArrayLike<number>[]): Float32Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  return normalise(sum);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Sign bits of a vector, least significant bit first. */
export function signBits(vector: Float32Array): Buffer {
  const bits = Buffer.alloc(Math.ceil(vector.length / 8));
  for (let index = 0; index < vector.length; index += 1) {
    if ((vector[index] ?? 0) > 0) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bits;
}

export const UNRELATED_SENTENCES: readonly string[] = [
  "The bridge over the river was closed for repairs in March.",
  "How many grams of sugar go into the plum jam?",
  "A unit test failed because the clock was not mocked.",
  "Her grandmother learned to play the cello at seventy.",
  "Volcanic ash makes the soil of that valley unusually fertile.",
  "Which bus goes to the airport after midnight?",
  "The treaty was signed by eleven countries and ratified by nine.",
  "He prefers tabs over spaces in every language.",
  "Penguins huddle together to survive the winter storms.",
  "The invoice for the office chairs is still unpaid.",
  "What is the maximum length of a database identifier?",
  "Goalkeepers rarely take corner kicks.",
  "The museum bought a small painting of two pears.",
  "Photosynthesis turns carbon dioxide and water into glucose.",
  "Deploys are frozen from Friday noon until Monday morning.",
  "Why did the emperor move the capital eastwards?",
  "My left knee hurts when I walk down the stairs.",
  "The novel ends with a letter that nobody reads.",
  "Retries use exponential backoff with jitter.",
  "Does the landlord allow cats in the apartment?",
  "The orbit of the comet takes about seventy-six years.",
  "Grandfather kept bees behind the old barn.",
  "The compiler rejects an unused variable.",
  "Inflation fell for the third month in a row.",
  "A good espresso takes about twenty-five seconds.",
  "Who wrote the song that was played at their wedding?",
  "The glacier has lost a third of its mass since 1980.",
  "The jury could not agree on a verdict.",
  "Sign the binary before you upload it to the store.",
  "The kindergarten opens half an hour later on Wednesdays.",
  "Silk was once worth more than gold on that road.",
  "Can I return the shoes without the box?",
  "The login page must not reveal whether an account exists.",
  "Whales sing to each other over hundreds of kilometres.",
  "The carpenter sharpened the chisel on a wet stone.",
  "Vaccination protects most people against measles for life.",
  "Our team meets at ten in the small conference room.",
  "The sculpture was carved from a single block of marble.",
  "How do I exit this text editor?",
  "The farmer sowed rye because the spring was so dry.",
];

/** Similarity of unrelated texts under a model; 0 <= mean <= noise <= 1. */
export interface SimilarityBackground {
  readonly mean: number;
  /** 99th percentile of cosine similarity, below which a match is meaningless. */
  readonly noise: number;
}

/** Measures all pairs of unrelated sentences; depends only on the model. */
export async function measureBackground(
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<SimilarityBackground> {
  const vectors = await embedder.embed(UNRELATED_SENTENCES, options);
  const asking =
    embedder.hasRoles === true
      ? await embedder.embed(UNRELATED_SENTENCES, { ...options, role: "query" })
      : vectors;
  return computeBackground(
    asking.flatMap((vector, i) => vectors.slice(i + 1).map((other) => cosine(vector, other))),
  );
}

export function computeBackground(measured: readonly number[]): SimilarityBackground {
  const similarities = measured.toSorted((a, b) => a - b);
  const sum = similarities.reduce((total, similarity) => total + similarity, 0);
  const noise = clamp(similarities[Math.floor(similarities.length * 0.99)] ?? 0);
  const mean = clamp(sum / Math.max(1, similarities.length));
  return { mean: Math.min(mean, noise), noise };
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
