import { shorten as cutAt, truncateText } from "../../shared/text.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { MemoryLocation } from "../context/memory-location.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import { formatProperty, listLineProperties } from "../presentation/index.ts";
import { quoteLinesForModel, quoteNameForModel } from "../presentation/quote-for-model.ts";
import { findMatchingPart } from "./matching-part.ts";
import { createExcerpt } from "./passages/load-units.ts";
import type { RecalledPassage } from "./passages/passage.schema.ts";
import type { RecalledConcept, RecalledEpisode } from "./recall.schema.ts";

export type Disputes = ReadonlyMap<string, string>;

export type RecalledItem =
  | {
      readonly kind: "concept";
      readonly concept: RecalledConcept;
      /** Found episodes of the concept's facts, by fact, which its block includes. */
      readonly claims: ReadonlyMap<string, RecalledEpisode>;
      readonly disputes: Disputes;
    }
  | {
      readonly kind: "episode";
      readonly episode: RecalledEpisode;
      readonly words: readonly string[];
      readonly disputes: Disputes;
    }
  | {
      readonly kind: "passage";
      readonly passage: RecalledPassage;
      readonly words: readonly string[];
    };

/**
 * Formats an item as a header line with id, score, type, time and provenance, then the text. Only
 * headers and `OPEN CONFLICTS` start in the first column: content is indented, so that it cannot
 * imitate an item.
 */
export function formatItem(item: RecalledItem, style: TextStyle = "full"): string {
  switch (item.kind) {
    case "concept":
      return formatConcept(item, style);
    case "episode":
      return formatEpisode(item, style);
    case "passage":
      return formatPassage(item, style);
  }
}

/** Passage length limits; `cairn show` prints the complete text. */
const MAX_PASSAGE_CHARACTERS = { full: 1200, brief: 700 } as const;

function formatPassage(
  { passage, words }: RecalledItem & { kind: "passage" },
  style: TextStyle,
): string {
  const standing = passage.replaced_by === undefined ? [] : [`replaced by ${passage.replaced_by}`];
  const head = formatHeadline(
    passage,
    [
      passage.role,
      showTime(passage.occurred_at, style),
      `by ${passage.by}`,
      passage.kind,
      ...(style === "full" ? [passage.source_id] : []),
      ...standing,
    ],
    style,
  );
  return `${head}\n${indent(createExcerpt(passage.text, MAX_PASSAGE_CHARACTERS[style], words))}`;
}

/** `brief` saves tokens for a model: dates instead of times, no redundant fields. */
export type TextStyle = "full" | "brief";

function showTime(timestamp: string, style: TextStyle): string {
  return style === "full" ? timestamp : timestamp.slice(0, 10);
}

function showScore(score: number, style: TextStyle): string {
  return score.toFixed(style === "full" ? 3 : 2);
}

/** Facts per concept in the text; its detail has all of them. */
const MAX_SHOWN_FACTS = 5;

export function selectShownFacts({ facts = [] }: RecalledConcept): readonly FactRecord[] {
  return facts.slice(0, MAX_SHOWN_FACTS);
}

/** An empty memory is often the wrong one, so the text names its location and alternatives. */
export function formatNothing(
  request: { readonly query?: string | undefined; readonly entity?: string | undefined },
  emptyLocation?: MemoryLocation,
): string {
  const query = [
    request.query === undefined ? "" : ` for “${shorten(request.query)}”`,
    request.entity === undefined ? "" : ` about ${shorten(request.entity)}`,
  ].join("");
  if (emptyLocation === undefined) return `Nothing found${query}.`;
  const { database, folder } = emptyLocation;
  return (
    `Nothing found${query}: the database "${database}" in ${folder} is empty. If you expected another ` +
    "memory, start cairn with --db NAME or --data-dir FOLDER (CAIRN_DB, CAIRN_DATA_DIR); " +
    "`cairn db list` lists the databases, and `cairn db adopt` adopts the memory of a project " +
    "that was moved or cloned."
  );
}

function formatConcept(
  { concept, claims, disputes: disputed }: RecalledItem & { kind: "concept" },
  style: TextStyle,
): string {
  const reached = concept.via === undefined ? [] : [`via ${concept.via}`];
  const disputes = (concept.open_conflicts ?? []).map((id) => `disputed in ${id}`);
  // A brief cluster omits its time and confidence, since its facts have their own times.
  const isBriefCluster = style === "brief" && concept.facts !== undefined;
  const isFull = style === "full";
  const hops = `spread, ${concept.hops} hop${concept.hops === 1 ? "" : "s"}`;
  const head = formatHeadline(
    concept,
    [
      concept.type,
      ...(isBriefCluster
        ? []
        : [showTime(concept.created_at, style), ...formatConfidence(concept, style)]),
      ...(isFull ? [concept.source === "spread" ? hops : concept.source, ...reached] : []),
      ...listLineProperties(concept).flatMap(formatProperty),
      ...(isFull ? disputes : []),
    ],
    style,
  );
  const summary = concept.summary === "" ? [] : [indent(concept.summary)];
  const selectedFacts = selectShownFacts(concept);
  const facts = selectedFacts.map((fact) => {
    const standing = formatStanding(fact.id, disputed);
    return formatFact(fact, { claim: claims.get(fact.id), standing, style });
  });
  const more = Math.max(concept.fact_count ?? 0, concept.facts?.length ?? 0) - selectedFacts.length;
  const rest = more > 0 ? [`${INDENT}and ${more} more: snapshot concept:${concept.id}`] : [];
  // Omits a title that repeats the only fact.
  const title = selectedFacts.some(({ statement }) => statement === concept.title)
    ? []
    : [indent(concept.title.replaceAll(/\s+/g, " "))];
  return [head, ...title, ...summary, ...facts, ...rest].join("\n");
}

function formatStanding(fact: string | null, disputes: Disputes): string[] {
  const conflict = fact === null ? undefined : disputes.get(fact);
  return conflict === undefined ? [] : [`disputed in ${conflict}`];
}

function formatConfidence({ confidence }: RecalledConcept, style: TextStyle): string[] {
  return style === "brief" && confidence === DEFAULT_CONFIDENCE
    ? []
    : [`confidence ${confidence.toFixed(2)}`];
}

const DEFAULT_CONFIDENCE = 0.5;

/** Episode length limit for a model; `show` prints the complete text. */
const MAX_EPISODE_CHARACTERS = 1200;

function formatEpisode(
  { episode, words, disputes }: RecalledItem & { kind: "episode" },
  style: TextStyle,
): string {
  const { content } = episode;
  const isLong = style === "brief" && content.length > MAX_EPISODE_CHARACTERS;
  const part = isLong ? findMatchingPart(content, words, MAX_EPISODE_CHARACTERS) : undefined;
  const head = formatHeadline(
    episode,
    [
      episode.episode_type,
      showTime(episode.occurred_at ?? episode.created_at, style),
      ...listLineProperties(episode).flatMap(formatProperty),
      ...formatStanding(episode.fact_id, disputes),
      ...(part === undefined ? [] : [`part of ${content.length} characters`]),
    ],
    style,
  );
  return `${head}\n${indent(part ?? content)}`;
}

function formatHeadline(
  item: { id: string; score: number },
  parts: readonly string[],
  style: TextStyle,
): string {
  const fields = parts.map((part) => part.replaceAll("·", "-"));
  return quoteNameForModel([item.id, showScore(item.score, style), ...fields].join(" · "));
}

interface ShownFact {
  readonly claim: RecalledEpisode | undefined;
  readonly standing: readonly string[];
  readonly style: TextStyle;
}

function formatFact(fact: FactRecord, { claim, standing, style }: ShownFact): string {
  const until = fact.valid_to === null ? "" : ` until ${showTime(fact.valid_to, style)}`;
  const since = `${style === "full" ? "since " : ""}${showTime(fact.valid_from, style)}${until}`;
  const score = style === "full" ? ` ${claim?.score.toFixed(3)}` : "";
  const found = claim === undefined ? [] : [`${claim.id}${score}`];
  const about = [fact.id, ...found, since, ...formatProvenance(fact), ...standing];
  const [first = "", ...more] = quoteLinesForModel(fact.statement);
  const lines = [`${INDENT}- ${first}`, ...more.map((line) => `${INDENT}  ${line}`)];
  return `${lines.join("\n")}\n${INDENT}  (${quoteNameForModel(about.join(" · "))})`;
}

/**
 * Formats the warning below the items, one line per conflict with both statements. The brief form
 * omits statements in `told`, which the items already include.
 */
export function formatConflicts(
  conflicts: readonly ConflictRecord[],
  reported: ReadonlySet<string> = new Set(),
): string {
  const lines = conflicts.flatMap((conflict) => {
    const sides = [conflict.fact_a, conflict.fact_b];
    const about = [
      conflict.id,
      `severity ${conflict.severity}`,
      ...(conflict.description ? [shorten(conflict.description)] : []),
      ...(sides.every(({ id }) => reported.has(id))
        ? [sides.map(({ id }) => id).join(" or ")]
        : []),
    ];
    return [
      `${INDENT}${about.join(" · ")}`,
      ...sides
        .filter(({ id }) => !reported.has(id))
        .map(({ id, statement }) => `${INDENT}  ${id}: ${shorten(statement)}`),
    ];
  });
  return [`OPEN CONFLICTS (${conflicts.length}): \`resolve\` or \`dismiss\` them`, ...lines].join(
    "\n",
  );
}

export function formatConflictIds(conflicts: readonly ConflictRecord[]): string {
  return `OPEN CONFLICTS: ${conflicts.map(({ id }) => id).join(", ")}`;
}

function formatProvenance(item: {
  asserted_by: string | null;
  source_ref: string | null;
}): string[] {
  return [
    ...(item.asserted_by === null ? [] : [`by ${item.asserted_by}`]),
    ...(item.source_ref === null ? [] : [item.source_ref]),
  ].map((part) => part.replaceAll("·", "-"));
}

const INDENT = "    ";
const SHORT_CHARACTERS = 200;

function indent(text: string): string {
  return quoteLinesForModel(text)
    .map((line) => `${INDENT}${line}`)
    .join("\n");
}

function shorten(text: string): string {
  return cutAt(quoteLinesForModel(text).join(" "), SHORT_CHARACTERS);
}

/** Minimum useful length of a truncated item. */
const MIN_PART_CHARACTERS = 60;
const SHRINK_FACTOR = 0.9;

/** Truncates an episode to the part most relevant to the query, others to their beginning. */
export function cutItem(item: RecalledItem, style: TextStyle, limit: number): string {
  const full = formatItem(item, style);
  return cutPart(item, style, limit) ?? `${truncateText(full, limit - 1)}…`;
}

function cutPart(item: RecalledItem, style: TextStyle, limit: number): string | undefined {
  if (item.kind !== "episode") return undefined;
  const { episode, words } = item;
  const getText = (content: string) =>
    formatItem({ ...item, episode: { ...episode, content } }, style);
  const room = limit - countCodePoints(getText(""));
  for (let left = room; left >= MIN_PART_CHARACTERS; left = Math.floor(left * SHRINK_FACTOR)) {
    const part = findMatchingPart(episode.content, words, left);
    if (part === undefined) return undefined;
    const text = getText(part);
    if (countCodePoints(text) <= limit) return text;
  }
  return undefined;
}

/** Length in code points, the unit of `max_chars`. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
