import type { Tx } from "../../database/index.ts";
import { usingPart } from "../search/derived-damage.ts";
import { quietenAnswers } from "./about-oneself.ts";
import { Arrivals } from "./arrivals.ts";
import { certaintyOf } from "./certainty.ts";
import { echo } from "./echo.ts";
import { findSeeds } from "./find-seeds.ts";
import { matchDates } from "./match-dates.ts";
import { measureWords } from "./measure-words.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import type { RecallRequest } from "./recall.schema.ts";
import type { RecallScope } from "./recall-scope.ts";
import { scoreItems } from "./score-items.ts";
import type { Seeds } from "./seed.ts";
import { type Activated, spreadActivation, withoutSpreading } from "./spread-activation.ts";
import { spreadOverSteps } from "./steps.ts";
import { unlessLate } from "./unless-late.ts";

export interface Search {
  readonly request: RecallRequest;
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  isLate(): boolean;
}

export interface ActivatedItems {
  readonly activated: Activated;
  /** How certain it is that memory knows the subject of the query, 0..1. */
  readonly certainty: number;
  readonly seeds: Seeds;
  /** Numbers of the entities that the query asks for. */
  readonly entities: readonly number[];
  readonly arrivals: Arrivals | undefined;
  /** False when time ran out before everything was searched. */
  readonly complete: boolean;
}

/** Computes the activation of everything that a query reaches, before ranking and cutting. */
export async function activate(
  tx: Tx,
  { request, prepared, scope, isLate }: Search,
): Promise<ActivatedItems> {
  const asked = scope.entity === undefined ? [] : [scope.entity];
  const entities = [...new Set([...asked, ...prepared.entities.map(({ id }) => id)])];
  const aside = prepared.aside.filter((entity) => entity !== scope.entity);
  const { vector, time, isAboutOneself, isOrdered } = prepared;
  const seeds = await findSeeds(tx, { prepared, scope, entities, aside, isLate });
  const measures = { vectors: vector !== undefined, tokens: false };
  const contextual = vector?.contextual ?? true;
  const background = vector?.background;
  const isDated = time !== undefined;
  const arrivals = request.explain === true ? new Arrivals() : undefined;
  const from = {
    seeds,
    measures,
    isDated,
    isAboutOneself,
    isOrdered,
    contextual,
    background,
    arrivals,
  };
  const spread = () => spreadActivation(tx, scope, from);
  const reached = await unlessLate({ isLate }, spread, undefined);
  const activated = reached ?? withoutSpreading(seeds, arrivals);
  const complete = reached !== undefined && !isLate();
  if (time !== undefined && complete) matchDates(activated.episodes, activated.told, time);
  quietenAnswers(activated.episodes, activated.answers);
  const measure = async () => {
    await measureWords(tx, prepared.words, {
      episode: activated.episodes,
      concept: new Map(Array.from(activated.concepts, ([number, { parts }]) => [number, parts])),
    });
    return true;
  };
  const measured = await unlessLate({ isLate }, () => usingPart("text index", measure), false);
  if (complete) echo(activated.episodes, activated.vectors, vector);
  if (isOrdered) spreadOverSteps(activated.episodes, activated.sessions);
  const concepts = Array.from(activated.concepts.values(), ({ parts }) => parts);
  const certainty = complete
    ? certaintyOf([...activated.episodes.values(), ...concepts], prepared)
    : 1;
  scoreItems(activated, { prepared, seeds, isMeasured: measured });
  return { activated, certainty, seeds, entities, arrivals, complete };
}
