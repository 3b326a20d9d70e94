import { stripControl } from "../../../shared/text.ts";
import { indent } from "../lay-out.ts";
import type { BlockShape } from "../shape.ts";
import { has, inLine, showList, showNumber } from "../show-value.ts";
import type { ShownConcept } from "../shown.ts";
import type { Style } from "../style.ts";
import { body, details, propertyPairs } from "./details.ts";
import { episode } from "./episode.ts";
import { fact } from "./fact.ts";
import { header, showAgeOf, showDeleted, showExplanation, showScore } from "./header.ts";

/** A concept, as a list, a search or its detail shows it. */
export const concept: BlockShape<ShownConcept> = {
  fits: (record) => has<ShownConcept>(record, "id", "title", "confidence"),
  block: (record, style) => [
    header(
      record.id,
      [
        style.colors.yellow(inLine(record.type)),
        showScore(record, style),
        `confidence ${showNumber(record.confidence)}`,
        showCount(record),
        showAgeOf(record, style),
        record.actionable === false ? style.colors.dim("not actionable") : "",
        showDeleted(record, style),
      ],
      style,
    ),
    ...body(style.colors.bold(inLine(record.title)), style),
    ...body(stripControl(record.summary ?? ""), style),
    ...details(
      [
        ["found", showPath(record)],
        ...propertyPairs(record, style),
        ["relations", showRelations(record.relations)],
        ["lineage", showLineage(record.lineage)],
        ["conflicts", showConflicts(record.open_conflicts, style)],
        ["score from", showExplanation(record)],
      ],
      style,
    ),
    ...nested({ title: "facts", items: currentFacts(record) }, fact, style),
    ...nested({ title: "superseded facts", items: record.superseded_facts }, fact, style),
    ...nested({ title: "evidence", items: record.evidence }, evidence, style),
    ...nested({ title: "source episodes", items: otherSources(record) }, episode, style),
  ],
};

/** Superseded facts have a heading of their own if both kinds are listed. */
function currentFacts({ facts, superseded_facts: superseded }: ShownConcept) {
  return superseded === undefined ? facts : facts?.filter(({ status }) => status !== "superseded");
}

/** An empty string with colour codes would count as a row. */
function showConflicts(conflicts: ShownConcept["open_conflicts"], { colors }: Style): string {
  const text = showList(conflicts);
  return text === "" ? "" : colors.red(text);
}

function showCount({ instance_count: count, type }: ShownConcept): string {
  if (count === undefined) return "";
  const noun = type === "fact_cluster" ? "fact" : "episode";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function showPath({ source, hops, via }: ShownConcept): string {
  if (source === undefined || source === "direct") return "";
  const by = via ? ` via ${inLine(via)}` : "";
  return `${inLine(source)}, ${String(hops)} step${hops === 1 ? "" : "s"}${by}`;
}

function showRelations(relations: ShownConcept["relations"] = []): string {
  return relations
    .map(({ type, target_id: target }) => `${inLine(type)} → ${inLine(target)}`)
    .join(", ");
}

function showLineage(lineage: ShownConcept["lineage"]): string {
  if (lineage === undefined) return "";
  return Object.entries(lineage)
    .filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${showList([value].flat())}`)
    .join("; ");
}

/** Episodes that claim a fact shown above add nothing and are left out. */
function otherSources({ facts, source_episodes: sources }: ShownConcept) {
  return facts === undefined ? sources : sources?.filter((source) => source.fact_id === null);
}

/** Records below a heading; nothing where there are none. */
function nested<Item>(
  { title, items = [] }: { readonly title: string; readonly items: readonly Item[] | undefined },
  shape: Pick<BlockShape<Item>, "block">,
  style: Style,
): string[] {
  if (items.length === 0) return [];
  const narrower = { ...style, columns: style.columns - 4 };
  const lines = items.flatMap((item) => shape.block(item, narrower));
  return [`  ${style.colors.dim(title)}`, ...indent(lines, 4)];
}

const evidence = {
  block: ({
    episode_id: id,
    type,
    strength,
    note,
  }: NonNullable<ShownConcept["evidence"]>[number]) => [
    [inLine(id), inLine(type), inLine(strength), inLine(note)].join("  ").trimEnd(),
  ],
};
