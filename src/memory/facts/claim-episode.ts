import { eq } from "drizzle-orm";
import { invalidInput, stateConflict } from "../../shared/errors.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { loadEntitiesOfEpisodes } from "../entities/mention.queries.ts";
import { type EpisodeRow, requireEpisode } from "../episodes/episode.queries.ts";
import { DISPUTABLE_TYPES } from "../episodes/episode-types.ts";
import { factId, kindOfId } from "../input/item-ids.ts";
import { addFactsTo } from "./add-facts.ts";
import { type FactRow, loadFactOfEpisode, requireActiveFact } from "./fact.queries.ts";

/**
 * Returns two claims, of which one supersedes or disputes the other, by fact or episode id.
 * Converts a decision or preference into a claim, in the other's cluster if it has one, so that
 * their history is shown together.
 */
export async function claimFacts(
  context: WriteContext,
  [first, second]: readonly [first: NamedClaim, second: NamedClaim],
): Promise<[first: FactRow, second: FactRow]> {
  const known = [await findClaim(context, first), await findClaim(context, second)] as const;
  const [a, b] = known;
  const one = a instanceof Unclaimed ? await a.claim(clusterOfClaim(b)) : a;
  const other = b instanceof Unclaimed ? await b.claim(one.clusterId) : b;
  return [one, other];
}

export async function findNamedPair(
  context: WriteContext,
  pair: readonly [first: NamedClaim, second: NamedClaim],
): Promise<[first: FactRow, second: FactRow]> {
  for (const { id, field } of pair) {
    if (kindOfId(id) !== "episode") continue;
    const { id: number, episodeType } = await requireEpisode(context.tx, id, field);
    if (DISPUTABLE_TYPES.includes(episodeType)) continue;
    const fact = await loadFactOfEpisode(context.tx, number);
    const cure = fact === undefined ? "" : `; name ${factId(fact.id)}`;
    throw invalidInput(`${field}: ${id} is not a decision, a preference or a fact${cure}`);
  }
  return claimFacts(context, pair);
}

export interface NamedClaim {
  readonly id: string;
  readonly field: string;
}

function clusterOfClaim(claim: FactRow | Unclaimed): number | undefined {
  return claim instanceof Unclaimed ? undefined : claim.clusterId;
}

async function findClaim(
  context: WriteContext,
  { id, field }: NamedClaim,
): Promise<FactRow | Unclaimed> {
  if (kindOfId(id) !== "episode") return requireActiveFact(context.tx, id, field);
  const episode = await requireEpisode(context.tx, id, field);
  const fact = await loadFactOfEpisode(context.tx, episode.id);
  if (fact === undefined) return new Unclaimed(context, episode);
  if (fact.status === "active") return fact;
  const by = fact.supersededBy === null ? "" : ` by ${factId(fact.supersededBy)}`;
  throw stateConflict(`${field}: ${id} is superseded${by}; name an active one`);
}

class Unclaimed {
  readonly #context: WriteContext;
  readonly #episode: EpisodeRow;

  constructor(context: WriteContext, episode: EpisodeRow) {
    this.#context = context;
    this.#episode = episode;
  }

  async claim(cluster: number | undefined): Promise<FactRow> {
    const { tx } = this.#context;
    const mentions = await loadEntitiesOfEpisodes(tx, [this.#episode.id]);
    const entities = mentions.map(({ entity }) => entity);
    const location =
      cluster === undefined
        ? { number: NEW_CLUSTER_NUMBER, publicId: undefined, isNew: true }
        : { number: cluster, publicId: await loadPublicId(this.#context, cluster), isNew: false };
    await addFactsTo(
      this.#context,
      [{ episode: this.#episode, entities }],
      [{ ...location, isAboutTheSame: false }],
    );
    const fact = await loadFactOfEpisode(tx, this.#episode.id);
    if (fact === undefined) throw new Error("The claim was not stored.");
    return fact;
  }
}

/** Placeholder number of a cluster that is not created yet. */
const NEW_CLUSTER_NUMBER = 2 ** 52;

async function loadPublicId({ tx }: WriteContext, cluster: number): Promise<string> {
  const [row] = await tx
    .select({ id: concepts.publicId })
    .from(concepts)
    .where(eq(concepts.id, cluster));
  if (row === undefined) throw new Error(`There is no cluster ${cluster}.`);
  return row.id;
}
