import { stripControl } from "../../../kernel/strip-control.ts";
import { indent } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import {
  type Fields,
  has,
  inLine,
  isFields,
  showLabels,
  showList,
  showNumber,
} from "../show-value.ts";
import type { Style } from "../style.ts";
import { body, details } from "./details.ts";
import { episode } from "./episode.ts";
import { fact } from "./fact.ts";
import { header, showAgeOf, showDeleted, showExplanation, showScore } from "./header.ts";

/** A concept, as a list, a search or its detail shows it. */
export const concept: BlockShape = {
  fits: (record) => has(record, "id", "title", "confidence"),
  block: (record, style) => [
    header(
      record.id,
      [
        style.colors.yellow(inLine(record.type)),
        showScore(record, style),
        typeof record.confidence === "number" ? `confidence ${showNumber(record.confidence)}` : "",
        showCount(record),
        showAgeOf(record, style),
        record.actionable === false ? style.colors.dim("not actionable") : "",
        showDeleted(record, style),
      ],
      style,
    ),
    ...body(style.colors.bold(inLine(record.title)), style),
    ...body(stripControl(String(record.summary ?? "")), style),
    ...details(
      [
        ["found", showPath(record)],
        ["tags", showList(record.tags)],
        ["labels", showLabels(record.labels)],
        ["topic", inLine(record.topic_id)],
        ["relations", showRelations(record.relations)],
        ["lineage", showLineage(record.lineage)],
        ["conflicts", showConflicts(record.open_conflicts, style)],
        ["score from", showExplanation(record)],
      ],
      style,
    ),
    ...nested("facts", currentFacts(record), style),
    ...nested("superseded facts", record.superseded_facts, style),
    ...nested("evidence", record.evidence, style),
    ...nested("source episodes", otherSources(record), style),
  ],
};

/** The superseded ones have a heading of their own where they are told apart. */
function currentFacts({ facts, superseded_facts: superseded }: Fields): unknown {
  if (!Array.isArray(facts) || !Array.isArray(superseded)) return facts;
  return facts.filter((fact: Fields) => fact.status !== "superseded");
}

/** Colour around nothing would be a row of its own. */
function showConflicts(conflicts: unknown, { colors }: Style): string {
  const text = showList(conflicts);
  return text === "" ? "" : colors.red(text);
}

function showCount({ instance_count: count, type }: Fields): string {
  if (typeof count !== "number") return "";
  const noun = type === "fact_cluster" ? "fact" : "episode";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How recall came to it, where it did not match itself. */
function showPath({ source, hops, via }: Fields): string {
  if (typeof source !== "string" || source === "direct") return "";
  const by = typeof via === "string" ? ` via ${inLine(via)}` : "";
  return `${inLine(source)}, ${String(hops)} step${hops === 1 ? "" : "s"}${by}`;
}

function showRelations(relations: unknown): string {
  if (!Array.isArray(relations)) return "";
  return relations
    .filter(isFields)
    .map(({ type, target_id: target }) => `${inLine(type)} → ${inLine(target)}`)
    .join(", ");
}

function showLineage(lineage: unknown): string {
  if (!isFields(lineage)) return "";
  return Object.entries(lineage)
    .filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${showList([value].flat())}`)
    .join("; ");
}

/** What claims a fact that is shown above has said all it says there. */
function otherSources({ facts, source_episodes: sources }: Fields): unknown {
  if (!Array.isArray(facts) || !Array.isArray(sources)) return sources;
  return sources.filter((source) => !isFields(source) || source.fact_id === null);
}

function nested(title: string, records: unknown, style: Style): string[] {
  if (!Array.isArray(records) || records.length === 0) return [];
  const lines = records.filter(isFields).flatMap((record) => showNested(record, style));
  return [`  ${style.colors.dim(title)}`, ...indent(lines, 4)];
}

function showNested(record: Fields, style: Style): string[] {
  const narrower = { ...style, columns: style.columns - 4 };
  if (fact.fits(record)) return fact.block(record, narrower);
  if (episode.fits(record)) return episode.block(record, narrower);
  const { episode_id: id, type, strength, note } = record;
  return [[inLine(id), inLine(type), inLine(strength), inLine(note)].join("  ").trimEnd()];
}
