import { eq, sql } from "drizzle-orm";
import {
  type Database,
  FOR_SHARE,
  preparedQuery,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import type { Embedder, SimilarityBackground } from "../../embedding/index.ts";
import { CairnError } from "../../shared/errors.ts";
import { meta } from "../context/meta.table.ts";

const PIN_KEY = "embedder";

export interface EmbedderPin {
  readonly identity: string;
  readonly dimensions: number;
  readonly background: SimilarityBackground;
  readonly tokens?: SimilarityBackground | undefined;
  /** True if vectors depend on preceding text. Undefined in older databases. */
  readonly contextual?: boolean | undefined;
}

export function isContextual({ contextual, tokens }: EmbedderPin): boolean {
  return contextual ?? tokens !== undefined;
}

export async function readPin(tx: Tx): Promise<EmbedderPin | undefined> {
  const [row] = await pinRow(tx).execute();
  return row === undefined ? undefined : parsePin(row.value);
}

export async function createPin(
  database: Database,
  { identity }: Embedder,
): Promise<EmbedderPin | undefined> {
  const pin = await database.read((tx) => readPin(tx));
  checkPin(pin, identity);
  return pin;
}

/** Reads the pin and locks it until the end of the transaction. */
export async function lockPin(tx: Tx): Promise<EmbedderPin | undefined> {
  const [row] = await lockedPin(tx, {});
  return row === undefined ? undefined : parsePin(row[0]);
}

const lockedPin = rowQuery<[value: string]>(
  () => sql`select value from meta where key = ${sql.raw(`'${PIN_KEY}'`)} ${FOR_SHARE}`,
);

export function parsePin(text: string): EmbedderPin {
  return JSON.parse(text) as EmbedderPin;
}

/** SQL expression of the pin as text; null if there is none. */
export const EMBEDDER_PIN = sql<
  string | null
>`(select value from meta where key = ${sql.raw(`'${PIN_KEY}'`)})`;

const pinRow = preparedQuery((tx) => tx.select().from(meta).where(eq(meta.key, PIN_KEY)).prepare());

export async function writePin(tx: Tx, pin: EmbedderPin): Promise<void> {
  const value = JSON.stringify(pin);
  await tx
    .insert(meta)
    .values({ key: PIN_KEY, value })
    .onConflictDoUpdate({ target: meta.key, set: { value } });
}

export async function removePin(tx: Tx): Promise<void> {
  await tx.delete(meta).where(eq(meta.key, PIN_KEY));
}

/** Prevents comparing vectors of different models. Throws PinMismatch. */
export function checkPin(pin: EmbedderPin | undefined, identity: string): void {
  if (pin !== undefined && pin.identity !== identity) throw new PinMismatch(pin, identity);
}

export class PinMismatch extends CairnError {
  constructor(pin: EmbedderPin, identity: string) {
    super(
      "conflict",
      `The database contains vectors of the embedder "${pin.identity}", and "${identity}" is configured. ` +
        "Run `cairn reindex` to recompute them, or configure the former embedder.",
    );
  }
}

/** Throws CairnError `unavailable` if a model changed its vector size under the same name. */
export function checkDimensions(pin: EmbedderPin, vectors: readonly Float32Array[]): void {
  const odd = vectors.find((vector) => vector.length !== pin.dimensions);
  if (odd === undefined) return;
  throw new CairnError(
    "unavailable",
    `the embedder "${pin.identity}" returned a vector of ${odd.length} numbers, but the database contains ` +
      `vectors of ${pin.dimensions}; run \`cairn reindex\` if the model was changed.`,
  );
}
