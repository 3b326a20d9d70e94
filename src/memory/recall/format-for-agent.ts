import { stripControl, stripControlLine } from "../../kernel/strip-control.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { FactRecord } from "../facts/fact.schema.ts";
import type { RecalledConcept, RecalledEpisode } from "./recall.schema.ts";

export type RecalledItem =
  | { readonly kind: "concept"; readonly concept: RecalledConcept }
  | { readonly kind: "episode"; readonly episode: RecalledEpisode };

/**
 * A block: a line with id, score, type, time and provenance, then the text. Only that line and `OPEN CONFLICTS` start in the first column: every line of content is
 * indented, so that no content can look like an item.
 */
export function formatItem(item: RecalledItem): string {
  return item.kind === "concept" ? formatConcept(item.concept) : formatEpisode(item.episode);
}

/** What stands in place of items when there is none. */
export function formatNothing(request: {
  readonly query?: string | undefined;
  readonly entity?: string | undefined;
}): string {
  const asked = [
    request.query === undefined ? "" : ` for “${shorten(request.query)}”`,
    request.entity === undefined ? "" : ` about ${shorten(request.entity)}`,
  ].join("");
  return `Nothing found${asked}.`;
}

function formatConcept(concept: RecalledConcept): string {
  const reached = concept.via === undefined ? [] : [`via ${concept.via}`];
  const conflicts = (concept.open_conflicts ?? []).map((id) => `disputed in ${id}`);
  const head = headline(concept, [
    concept.type,
    concept.created_at,
    `confidence ${concept.confidence.toFixed(2)}`,
    concept.source === "spread"
      ? `spread, ${concept.hops} hop${concept.hops === 1 ? "" : "s"}`
      : concept.source,
    ...reached,
    ...labelsOf(concept),
    ...conflicts,
  ]);
  const summary = concept.summary === "" ? [] : [indent(concept.summary)];
  const facts = (concept.facts ?? []).map(formatFact);
  return [head, indent(stripControlLine(concept.title)), ...summary, ...facts].join("\n");
}

function formatEpisode(episode: RecalledEpisode): string {
  const head = headline(episode, [
    episode.episode_type,
    episode.occurred_at ?? episode.created_at,
    ...provenanceOf(episode),
    ...(episode.fact_id === null ? [] : [episode.fact_id]),
    ...episode.entities,
    ...labelsOf(episode),
  ]);
  return `${head}\n${indent(episode.content)}`;
}

function headline(item: { id: string; score: number }, parts: readonly string[]): string {
  const fields = parts.map((part) => part.replaceAll("·", "-"));
  return stripControlLine([item.id, item.score.toFixed(3), ...fields].join(" · "));
}

function formatFact(fact: FactRecord): string {
  const until = fact.valid_to === null ? "" : ` until ${fact.valid_to}`;
  const about = [fact.id, `since ${fact.valid_from}${until}`, ...provenanceOf(fact)];
  const [first = "", ...more] = stripControl(fact.statement).split("\n");
  const lines = [`${INDENT}- ${first}`, ...more.map((line) => `${INDENT}  ${line}`)];
  return `${lines.join("\n")}\n${INDENT}  (${stripControlLine(about.join(" · "))})`;
}

/** The warning below the items: a line for each conflict with both statements. */
export function formatConflicts(conflicts: readonly ConflictRecord[]): string {
  const lines = conflicts.flatMap((conflict) => [
    `${INDENT}${conflict.id} · severity ${conflict.severity}${conflict.description ? ` · ${shorten(conflict.description)}` : ""}`,
    `${INDENT}  ${conflict.fact_a.id}: ${shorten(conflict.fact_a.statement)}`,
    `${INDENT}  ${conflict.fact_b.id}: ${shorten(conflict.fact_b.statement)}`,
  ]);
  return [
    `OPEN CONFLICTS (${conflicts.length}): settle with resolve_conflict or dismiss_conflict`,
    ...lines,
  ].join("\n");
}

/** The same on one line, where room is short. */
export function formatConflictIds(conflicts: readonly ConflictRecord[]): string {
  return `OPEN CONFLICTS: ${conflicts.map(({ id }) => id).join(", ")}`;
}

function provenanceOf(item: { asserted_by: string | null; source_ref: string | null }): string[] {
  return [
    ...(item.asserted_by === null ? [] : [`by ${item.asserted_by}`]),
    ...(item.source_ref === null ? [] : [item.source_ref]),
  ].map((part) => part.replaceAll("·", "-"));
}

function labelsOf(item: { labels: readonly { key: string; value: string }[] }): string[] {
  return item.labels.map(({ key, value }) => `${key}=${value}`);
}

const INDENT = "    ";
const SHORT = 200;

function indent(text: string): string {
  return stripControl(text)
    .split("\n")
    .map((line) => `${INDENT}${line}`)
    .join("\n");
}

function shorten(text: string): string {
  const characters = [...stripControlLine(text)];
  return characters.length <= SHORT
    ? characters.join("")
    : `${characters.slice(0, SHORT - 1).join("")}…`;
}
