import { and, desc, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { settleAll, withTimeout } from "../../shared/async.ts";
import { mayOpen, OWNER } from "../../shared/caller.ts";
import { isCairnError } from "../../shared/errors.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { episodes } from "../episodes/episode.table.ts";
import { parseNumberedId } from "../input/item-ids.ts";
import { CONTRADICTS, readContradicts } from "../labels/contradicts-label.ts";
import { episodeLabels } from "../labels/label.table.ts";
import { isHeld, saysOtherwise } from "../learned/find-contradicted.ts";
import type { LayerWarning } from "../recall/recall.schema.ts";
import { PATIENCE_MS, warningOf } from "../recall/unread-layer.ts";
import type { FartherMemory, PrepareContext } from "../search/prepare-context.ts";
import { countSaidSince } from "./claim-events.ts";
import { PROMOTED } from "./promoted-item.ts";
import { readSweepMark, type SweepMark } from "./sweep-mark.ts";

/** One item of a nearer layer that says otherwise than one of a farther one. */
export interface BetweenLayers {
  readonly nearer: EpisodeRecord;
  /** Its id begins with its layer. */
  readonly farther: EpisodeRecord;
  readonly layer: string;
}

/** How far the sweep came that finds what no write looked for. */
export interface SweepStanding {
  readonly layer: string;
  /** Statements of both sides that it held against the other one by now. */
  readonly held: number;
  /** Of both sides, at most: what was said and what was edited since. */
  readonly waiting: number;
}

export interface FoundBetweenLayers {
  readonly contradictions: readonly BetweenLayers[];
  readonly sweeps: readonly SweepStanding[];
  readonly warnings: readonly LayerWarning[];
}

const NOTHING: FoundBetweenLayers = { contradictions: [], sweeps: [], warnings: [] };

interface Noted {
  readonly nearer: EpisodeRecord;
  readonly layer: string;
  /** Id in the layer. */
  readonly id: string;
}

/**
 * What was found when it was written, as far as both still hold, still say otherwise, and the caller may read
 * both; the newest first. What was promoted to the layer is decided there.
 */
export async function listContradictions(
  { read, farther, options: { caller = OWNER } }: PrepareContext,
  most: number,
): Promise<FoundBetweenLayers> {
  const noted = await read((tx) => loadNoted(tx, most));
  const layers = farther().filter(({ name }) => mayOpen(caller, name));
  // All at once: several that do not answer take no longer than one.
  const found = await Promise.all(layers.map((layer) => foundIn(layer, { noted, read })));
  const contradictions = found.flatMap((one) => one.contradictions);
  const place = new Map(noted.map(({ nearer }, index) => [nearer.id, index]));
  const orderOf = ({ nearer }: BetweenLayers) => place.get(nearer.id) ?? 0;
  contradictions.sort((a, b) => orderOf(a) - orderOf(b));
  return {
    contradictions,
    sweeps: found.flatMap(({ sweeps }) => sweeps),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

/** A warning in place of a layer that cannot be read. */
async function foundIn(
  layer: FartherMemory,
  { noted, read }: { readonly noted: readonly Noted[] } & Pick<PrepareContext, "read">,
): Promise<FoundBetweenLayers> {
  const ofLayer = noted.filter((one) => one.layer === layer.name);
  try {
    const { mark, own } = await read(async (tx) => {
      const found = await readSweepMark(tx, layer.name);
      return { mark: found, own: await countSaidSince(tx, found.own) };
    });
    const told = await withTimeout({ patienceMs: PATIENCE_MS }, async () =>
      (await layer.isThere()) ? layer.readHere((tx) => toldBy(tx, ofLayer, mark)) : undefined,
    );
    if (told === undefined) return NOTHING;
    return {
      contradictions: stillBetween(layer, ofLayer, told.records),
      sweeps: [{ layer: layer.name, held: mark.held, waiting: own + told.waiting }],
      warnings: [],
    };
  } catch (error) {
    if (isCairnError(error) && error.code === "not_found") return NOTHING;
    return { ...NOTHING, warnings: [warningOf(layer.name, error)] };
  }
}

/** What a layer has under the ids that were noted, and how much of it the sweep has not looked at. */
async function toldBy(tx: Tx, noted: readonly Noted[], { farther }: SweepMark) {
  const numbers = noted.map(({ id }) => parseNumberedId(id, "episode", "id"));
  const [records, waiting] = await settleAll(
    loadEpisodes(tx, [...new Set(numbers)]),
    countSaidSince(tx, farther),
  );
  return { records, waiting };
}

async function loadNoted(tx: Tx, most: number): Promise<Noted[]> {
  const rows = await tx
    .select({ number: episodes.id })
    .from(episodeLabels)
    .innerJoin(episodes, eq(episodes.id, episodeLabels.episodeId))
    .where(and(eq(episodeLabels.key, CONTRADICTS), isNull(episodes.deletedAt)))
    .groupBy(episodes.id)
    .orderBy(desc(episodes.id))
    .limit(most);
  const records = await loadEpisodes(
    tx,
    rows.map(({ number }) => number),
  );
  return records.filter(isHeld).flatMap((nearer) =>
    nearer.labels.flatMap(({ key, value }) => {
      const against = key === CONTRADICTS ? readContradicts(value) : undefined;
      if (against === undefined || isPromotedTo(nearer, against.layer)) return [];
      return { nearer, ...against };
    }),
  );
}

function isPromotedTo({ labels }: EpisodeRecord, layer: string): boolean {
  return labels.some(({ key, value }) => key === PROMOTED && value === layer);
}

function stillBetween(
  layer: FartherMemory,
  noted: readonly Noted[],
  records: readonly EpisodeRecord[],
): BetweenLayers[] {
  const held = new Map(records.filter(isHeld).map((record) => [record.id, record]));
  return noted.flatMap(({ nearer, id }) => {
    const farther = held.get(id);
    if (farther === undefined || !saysOtherwise(nearer, farther)) return [];
    return { nearer, farther: { ...farther, id: `${layer.name}/${id}` }, layer: layer.name };
  });
}
