import { topK } from "../../shared/collections.ts";
import { CONTRIBUTION_KINDS, type ContributionKind, type Explanation } from "./recall.schema.ts";
import { classifyItem, type ItemForm, MIN_RETURNED } from "./relevance.ts";

export interface Activation extends Record<ContributionKind, number> {
  /** Cosine similarity to the query; only reported, not part of the sum. */
  cosine: number | undefined;
  /** Late-interaction similarity; only reported. */
  similarity: number | undefined;
  coverage: number;
  rarity: number;
  containedWords: number;
  isTurn: boolean;
  /** True for a rule that rejects a rare word of the query. */
  isRejecting: boolean;
  /** Source of the strongest explicit edge, and the share of its score that is propagated. */
  strongestSource: ActivationSource | undefined;
  /** Probability of relevance; 0 until `scoreItems` computes it. */
  score: number;
}

interface ActivationSource {
  readonly kind: "episode" | "concept";
  readonly number: number;
  readonly weight: number;
}

/** Creates all activations, since objects of one shape are fastest. */
export function createActivation({
  text = 0,
  vector = 0,
  tokens = 0,
  cosine,
  similarity,
  entity = 0,
  question = 0,
  standing = 0,
  isTurn = false,
}: Partial<Activation>): Activation {
  return {
    text,
    vector,
    tokens,
    cosine,
    similarity,
    coverage: 0,
    rarity: 0,
    containedWords: 0,
    isTurn,
    isRejecting: false,
    strongestSource: undefined,
    score: 0,
    entity,
    date: 0,
    session: 0,
    neighbours: 0,
    evidence: 0,
    relations: 0,
    question,
    echo: 0,
    standing,
    voice: 0,
    steps: 0,
  };
}

export const NO_ACTIVATION: Readonly<Activation> = createActivation({});

export function computeActivation(parts: Activation): number {
  const direct =
    parts.text + parts.vector + parts.tokens + parts.entity + parts.date + parts.question;
  const propagated = parts.session + parts.neighbours + parts.evidence + parts.relations;
  return direct + propagated + parts.echo + parts.standing + parts.voice + parts.steps;
}

const REQUEST_PATTERN =
  /\b(?:can|could|would|will) (?:you|u)\b|\b(?:show|tell|give|help|remind|let|walk) (?:me|us)\b|\b(?:kannst|könntest|würdest) du\b|\b(?:können|könnten|würden) Sie\b|\b(?:zeig|sag|gib|hilf|erklär)e? mir\b|\b(?:peux|pourrais)[- ]tu\b|\b(?:pouvez|pourriez)[- ]vous\b|\b(?:dis|montre|aide|donne|explique)[- ]moi\b/giu;

/** First- and second-person pronouns of widespread languages, unless ambiguous. */
const FIRST_PERSON =
  "i|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?|j(?=['’]\\p{L})|je|moi|mon|mes|yo|mis?|mío|mía|mia|miei|mio|meus?|minhas?|ik|mij|mijn|mój|moja|moje|mnie|я|мой|моя|моё|мои|мне|меня";
const SECOND_PERSON =
  "you|yours?|du|dich|dir|dein(?:e[mnrs]?)?|tu|toi|tes|vous|vos|votre|usted|tus|tú|tuo|tua|você|teu|jij|jouw|twój|twoja|ты|твой|вы|ваш";
const PERSON_PATTERN = new RegExp(
  `(?<![\\p{L}\\p{N}_.])(?:(${FIRST_PERSON})|(?:${SECOND_PERSON}))(?![\\p{L}\\p{N}_])`,
  "iu",
);
const ABBREVIATION = /\bi\/o\b|(?<![\p{L}_])[\p{L}_]+[._][\p{L}_]+[\p{L}\p{N}._]*/giu;
const UNSPACED_PRONOUN = /(我|私|僕|俺)|你|あなた/u;

/** Returns true for queries about the user's own statements: "How many columns did I want?" */
export function isAboutOneself(query: string): boolean {
  const text = query.replace(REQUEST_PATTERN, " ").replace(ABBREVIATION, " ");
  return (PERSON_PATTERN.exec(text) ?? UNSPACED_PRONOUN.exec(text))?.[1] !== undefined;
}

/** Penalty factor of assistant answers if the query is about the user. */
const ANSWER_PENALTY = 1;
/** Maximum penalty, so that an answer is still found if nothing else is. */
const MAX_PENALTY = 0.5;

/** Penalizes assistant answers in queries about the user's own words. */
export function penalizeAnswers(
  episodes: ReadonlyMap<number, Activation>,
  answers: ReadonlySet<number>,
): void {
  for (const number of answers) {
    const parts = episodes.get(number);
    if (parts === undefined) continue;
    parts.voice = -Math.min(ANSWER_PENALTY, MAX_PENALTY * Math.max(0, computeActivation(parts)));
  }
}

/** A share of an activation and its source item. */
interface Arrival {
  readonly kind: Exclude<ContributionKind, "entity" | "date" | "question" | "echo">;
  readonly from: {
    readonly kind: "episode" | "concept";
    readonly number: number;
    readonly layer?: string | undefined;
  };
  readonly amount: number;
}

export class Arrivals {
  readonly #byTarget = new Map<object, readonly Arrival[]>();

  of(target: object): readonly Arrival[] {
    return this.#byTarget.get(target) ?? [];
  }

  add(target: object, arrival: Arrival): void {
    this.#byTarget.set(target, [...this.of(target), arrival]);
  }

  /** Replaces the arrivals of this kind, of which only the strongest counts. */
  replace(target: object, arrival: Arrival): void {
    const others = this.of(target).filter(({ kind }) => kind !== arrival.kind);
    this.#byTarget.set(target, [...others, arrival]);
  }
}

export interface Ranked<Item> {
  readonly number: number;
  readonly score: number;
  readonly item: Item;
}

export interface RankOptions {
  readonly count: number;
  readonly minScore: number;
}

/** Sorts by score, then by activation, then newest first. */
export function rankItems<Item>(
  items: Iterable<readonly [number, Item]>,
  getParts: (item: Item) => Activation,
  { count, minScore }: RankOptions,
): Ranked<Item>[] {
  const ranked: Ranked<Item>[] = [];
  for (const [number, item] of items) {
    const score = roundScore(getParts(item).score);
    if (score > 0 && score >= minScore) ranked.push({ number, score, item });
  }
  const activationOfItem = ({ item }: Ranked<Item>) =>
    roundScore(computeActivation(getParts(item)));
  return topK(
    ranked,
    count,
    (a, b) => b.score - a.score || activationOfItem(b) - activationOfItem(a) || b.number - a.number,
  );
}

/** Six digits preserve every rank difference and remove floating-point noise. */
export function roundScore(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

const MEASURED_THRESHOLD = { score: MIN_RETURNED, weight: 0.35 };

/** Minimum probability, absolute and relative to the best. Word-only scores are lower. */
const RELEVANCE_THRESHOLD: Readonly<
  Record<ItemForm, { readonly score: number; readonly weight: number }>
> = {
  statement: MEASURED_THRESHOLD,
  turn: MEASURED_THRESHOLD,
  text: { score: 0.08, weight: 0.3 },
};

/** Factor for items whose match was not measured before the time limit. */
const UNMEASURED_WEIGHT = 0.5;

/** Score by activation alone, if the match was not measured. */
export function scoreUnmeasured(activation: number): number {
  return UNMEASURED_WEIGHT * scoreByActivation(activation);
}

export function scoreByActivation(activation: number): number {
  return 1 - Math.exp(-Math.max(0, activation));
}

export function findLowestShown(
  minScore: number | undefined,
  activations: Iterable<Activation>,
): number {
  if (minScore !== undefined) return minScore;
  let best: Activation | undefined;
  for (const parts of activations) if (parts.score > (best?.score ?? 0)) best = parts;
  return best === undefined
    ? RELEVANCE_THRESHOLD.statement.score
    : findRelevanceThreshold(classifyItem(best), best.score);
}

export function findRelevanceThreshold(form: ItemForm, best: number): number {
  const { score, weight } = RELEVANCE_THRESHOLD[form];
  return Math.max(score, weight * best);
}

export function explainActivation(parts: Activation): Omit<Explanation, "contributions"> {
  return {
    activation: roundScore(computeActivation(parts)),
    text: roundScore(parts.text),
    vector: roundScore(parts.vector),
    tokens: roundScore(parts.tokens),
    ...(parts.cosine !== undefined && { cosine: roundScore(parts.cosine) }),
    ...(parts.similarity !== undefined && { similarity: roundScore(parts.similarity) }),
    coverage: roundScore(parts.coverage),
    rarity: roundScore(parts.rarity),
    held: roundScore(parts.containedWords),
    entity: parts.entity,
    date: roundScore(parts.date),
    session: roundScore(parts.session),
    neighbours: roundScore(parts.neighbours),
    evidence: roundScore(parts.evidence),
    relations: roundScore(parts.relations),
    question: roundScore(parts.question),
    echo: roundScore(parts.echo),
    standing: roundScore(parts.standing),
    voice: roundScore(parts.voice),
    steps: roundScore(parts.steps),
  };
}

/** Returns contributions that add up to the item's activation, largest first. */
export function listContributions(
  parts: Activation,
  arrivals: readonly Arrival[],
  idOf: (from: Arrival["from"]) => string | undefined,
): Explanation["contributions"] {
  const kinds = CONTRIBUTION_KINDS.filter((kind) => parts[kind] !== 0);
  return kinds
    .flatMap((kind) => {
      const arrived = arrivals.filter((arrival) => arrival.kind === kind);
      if (arrived.length === 0) return [{ kind, from: "query", amount: roundScore(parts[kind]) }];
      return arrived.map(({ from, amount }) => ({
        kind,
        from: idOf(from) ?? "query",
        amount: roundScore(amount),
      }));
    })
    .sort((a, b) => b.amount - a.amount);
}
