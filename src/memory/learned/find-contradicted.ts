import type { Tx } from "../../database/index.ts";
import type { SaidToHold } from "../context/said-to-hold.ts";
import { entityId } from "../entities/entity.queries.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import type { EntityName } from "../input/parse-entity.ts";
import { matchTexts } from "../search/match-texts.ts";
import { queryWords } from "../search/query-words.ts";
import { Overruling } from "./overruling.ts";

/** What an operation is given, as a claim. */
export function claimOf({
  content,
  episode_type,
  entities = [],
}: {
  readonly content: string;
  readonly episode_type: string;
  readonly entities?: readonly EntityName[] | undefined;
}): SaidToHold {
  return { content, episode_type, entities: entities.map(entityId) };
}

/** What is observed in one place says nothing of another. */
export const CLAIMING: readonly string[] = ["fact", "decision", "preference"];

/** Items of the other layer that are held against a claim: those that share its rarest words. */
const COMPARED = 20;
const ROWS = 500;

type SaysOtherwise = (claim: SaidToHold, held: SaidToHold) => boolean;

/** For each claim, the episodes of this farther layer which say otherwise and hold, the likest first. */
export async function findContradicted(
  tx: Tx,
  claims: readonly SaidToHold[],
): Promise<(readonly EpisodeRecord[])[]> {
  const overruling = new Overruling();
  return findEach(tx, claims, (nearer, farther) => saysOtherwise(nearer, farther, overruling));
}

/** For each claim of a farther layer, the episodes of this nearer one which say otherwise and hold. */
export async function findContradicting(
  tx: Tx,
  claims: readonly SaidToHold[],
): Promise<(readonly EpisodeRecord[])[]> {
  const overruling = new Overruling();
  return findEach(tx, claims, (farther, nearer) => saysOtherwise(nearer, farther, overruling));
}

async function findEach(
  tx: Tx,
  claims: readonly SaidToHold[],
  isOtherwise: SaysOtherwise,
): Promise<(readonly EpisodeRecord[])[]> {
  const found: (readonly EpisodeRecord[])[] = [];
  for (const claim of claims) found.push(await otherwiseThan(tx, claim, isOtherwise));
  return found;
}

async function otherwiseThan(
  tx: Tx,
  claim: SaidToHold,
  isOtherwise: SaysOtherwise,
): Promise<readonly EpisodeRecord[]> {
  const words = queryWords(claim.content);
  if (!CLAIMING.includes(claim.episode_type) || words.length === 0) return [];
  const query = { kind: "episode", most: COMPARED, rows: ROWS } as const;
  const { episode: likest } = await matchTexts(tx, words, [query]);
  const records = await loadEpisodes(
    tx,
    likest.map(({ number }) => number),
  );
  return records.filter((held) => isHeld(held) && isOtherwise(claim, held));
}

export function isHeld({ episode_type: type, deleted_at: end, valid_to: until }: EpisodeRecord) {
  return CLAIMING.includes(type) && end === null && until === undefined;
}

export function saysOtherwise(
  nearer: SaidToHold,
  farther: SaidToHold,
  overruling = new Overruling(),
): boolean {
  const claim = (it: SaidToHold) => ({
    ...{ id: "", layer: "", score: 1, text: it.content },
    ...{ type: it.episode_type, entities: it.entities },
  });
  return overruling.saysOtherwise(claim(nearer), claim(farther));
}
