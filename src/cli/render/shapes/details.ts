import { listProperties, type Presentable } from "../../../memory/presentation/index.ts";
import { stripControl } from "../../../shared/text.ts";
import { alignColumns, indent, wrapText } from "../lay-out.ts";
import type {
  ShownConcept,
  ShownConflict,
  ShownEpisode,
  ShownFact,
  ShownProposal,
} from "../record-types.ts";
import type { BlockShape } from "../shape.ts";
import { hasValue, showAge, showList, showNumber, showTime, toInline } from "../show-value.ts";
import type { Style } from "../style.ts";

const INDENT = 2;

export function showBody(text: string, style: Style): string[] {
  if (text === "") return [];
  return indent(wrapText(text, style.columns - INDENT), INDENT);
}

/** Properties shown on every surface, as pairs for `details`. */
export function propertyPairs(record: Presentable, style: Style): [string, string][] {
  return listProperties(record).map(({ name, kind, values }) => [
    name,
    kind === "time" ? values.map((time) => showTime(time, style)).join(", ") : showList(values),
  ]);
}

/** Aligns non-empty details. */
export function showDetails(pairs: readonly (readonly [string, string])[], style: Style): string[] {
  const rows = pairs
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [style.colors.dim(name), value]);
  return indent(alignColumns(rows, style.columns - INDENT), INDENT);
}

export const fact: BlockShape<ShownFact> = {
  fits: (record) => hasValue<ShownFact>(record, "id", "statement", "valid_from"),
  block: (record, style) => {
    const { green, dim } = style.colors;
    const isActive = record.status === "active" || record.status === undefined;
    return [
      showHeader(
        record.id,
        [
          isActive ? green("active") : dim(toInline(record.status)),
          `since ${showTime(record.valid_from, style)}`,
          showAsserter(record),
        ],
        style,
      ),
      ...showBody(stripControl(record.statement), style),
      ...showDetails(propertyPairs(record, style), style),
    ];
  },
};

export const episode: BlockShape<ShownEpisode> = {
  fits: (record) => hasValue<ShownEpisode>(record, "id", "content", "episode_type"),
  block: (record, style) => [
    showHeader(
      record.id,
      [
        style.colors.yellow(toInline(record.episode_type)),
        showScore(record, style),
        showItemAge(record, style),
        showAsserter(record),
        record.processed === false ? style.colors.dim("pending") : "",
        showDeleted(record, style),
      ],
      style,
    ),
    ...showBody(stripControl(record.content), style),
    ...showDetails(
      [...propertyPairs(record, style), ["score from", showExplanation(record)]],
      style,
    ),
  ],
};

export const conflict: BlockShape<ShownConflict> = {
  fits: (record) => hasValue<ShownConflict>(record, "id", "fact_a", "fact_b"),
  block: (record, style) => {
    const { red, green, dim } = style.colors;
    const isOpen = record.status === "open";
    const status = isOpen ? red("open") : green(toInline(record.status));
    const narrower = { ...style, columns: style.columns - 4 };
    return [
      showHeader(
        record.id,
        [status, `severity ${toInline(record.severity)}`, showItemAge(record, style)],
        style,
      ),
      ...showBody(toInline(record.description), style),
      ...[record.fact_a, record.fact_b].flatMap((side) => indent(fact.block(side, narrower), 4)),
      ...showDetails(
        [
          ["winner", toInline(record.winner)],
          ["note", toInline(record.note)],
          ["decided by", toInline(record.resolved_by)],
          ["settle it", isOpen ? dim(describeResolution(record)) : ""],
        ],
        style,
      ),
    ];
  },
};

function describeResolution({ id, fact_a: a, fact_b: b }: ShownConflict): string {
  const ids = [a, b].map((side) => toInline(side.id));
  return `cairn resolve ${toInline(id)} ${ids.join("|")}, or cairn dismiss ${toInline(id)}`;
}

export const proposal: BlockShape<ShownProposal> = {
  fits: (record) => hasValue<ShownProposal>(record, "id", "content", "times", "seen_at"),
  block: (record, style) => {
    const { yellow, red, green, dim } = style.colors;
    const { id, status, times, evidence } = record;
    const isOpen = status === "open" || status === "faded";
    const commands = `cairn accept ${toInline(id)}, or cairn reject ${toInline(id)}`;
    return [
      showHeader(
        id,
        [
          isOpen ? red(status) : green(status),
          yellow(toInline(record.episode_type)),
          showItemAge(record, style),
          showAsserter(record),
          times > 1 ? `said in ${times} sessions` : "",
        ],
        style,
      ),
      ...showBody(stripControl(record.content), style),
      ...showDetails(
        [
          ["entities", showList(record.entities)],
          ["words", toInline(record.quotation)],
          ["from", showList(evidence)],
          ["waits because", toInline(record.reason)],
          ["became", toInline(record.episode_id)],
          ["note", toInline(record.note)],
          ["decided by", toInline(record.decided_by)],
          ["settle it", isOpen ? dim(commands) : ""],
        ],
        style,
      ),
    ];
  },
};

export const concept: BlockShape<ShownConcept> = {
  fits: (record) => hasValue<ShownConcept>(record, "id", "title", "confidence"),
  block: (record, style) => [
    showHeader(
      record.id,
      [
        style.colors.yellow(toInline(record.type)),
        showScore(record, style),
        `confidence ${showNumber(record.confidence)}`,
        showCount(record),
        showItemAge(record, style),
        record.actionable === false ? style.colors.dim("not actionable") : "",
        showDeleted(record, style),
      ],
      style,
    ),
    ...showBody(style.colors.bold(toInline(record.title)), style),
    ...showBody(stripControl(record.summary ?? ""), style),
    ...showDetails(
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
    ...showNested({ title: "facts", items: currentFacts(record) }, fact, style),
    ...showNested({ title: "superseded facts", items: record.superseded_facts }, fact, style),
    ...showNested({ title: "evidence", items: record.evidence }, evidence, style),
    ...showNested({ title: "source episodes", items: countOtherSources(record) }, episode, style),
  ],
};

/** Superseded facts get a separate heading if both kinds are listed. */
function currentFacts({ facts, superseded_facts: superseded }: ShownConcept) {
  return superseded === undefined ? facts : facts?.filter(({ status }) => status !== "superseded");
}

/** An empty string with color codes would count as a row. */
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
  const by = via ? ` via ${toInline(via)}` : "";
  return `${toInline(source)}, ${String(hops)} step${hops === 1 ? "" : "s"}${by}`;
}

function showRelations(relations: ShownConcept["relations"] = []): string {
  return relations
    .map(({ type, target_id: target }) => `${toInline(type)} → ${toInline(target)}`)
    .join(", ");
}

function showLineage(lineage: ShownConcept["lineage"]): string {
  if (lineage === undefined) return "";
  return Object.entries(lineage)
    .filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${showList([value].flat())}`)
    .join("; ");
}

/** Excludes episodes of facts shown above. */
function countOtherSources({ facts, source_episodes: sources }: ShownConcept) {
  return facts === undefined ? sources : sources?.filter((source) => source.fact_id === null);
}

function showNested<Item>(
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
    [toInline(id), toInline(type), toInline(strength), toInline(note)].join("  ").trimEnd(),
  ],
};

/** Fields added by a search. */
type Searched = Pick<ShownEpisode, "score" | "explain">;

type Dated = Pick<ShownEpisode, "occurred_at" | "created_at" | "deleted_at">;

function showHeader(id: string, parts: readonly string[], style: Style): string {
  const { bold, cyan } = style.colors;
  return [bold(cyan(toInline(id))), ...parts.filter((part) => part !== "")].join("  ");
}

function showScore({ score }: Searched, style: Style): string {
  return score === undefined ? "" : style.colors.green(`score ${score.toFixed(2)}`);
}

function showItemAge(
  { occurred_at: occurredAt, created_at: createdAt }: Dated,
  style: Style,
): string {
  return style.colors.dim(showAge(occurredAt ?? createdAt, style));
}

function showDeleted({ deleted_at: deletedAt }: Dated, style: Style): string {
  return deletedAt ? style.colors.red(`deleted ${showAge(deletedAt, style)}`) : "";
}

function showAsserter({ asserted_by: by }: Pick<ShownEpisode, "asserted_by">): string {
  return by ? `by ${toInline(by)}` : "";
}

/** Score components, largest first; with `--explain`. */
function showExplanation({ explain }: Searched): string {
  if (explain === undefined) return "";
  return Object.entries(explain)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] !== 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, value]) => `${toInline(name)} ${drawScoreBar(value)}${showNumber(value)}`)
    .join(", ");
}

/** Draws a fraction as up to ten cells. */
function drawScoreBar(fraction: number): string {
  const cells = Math.round(Math.min(1, Math.max(0, fraction)) * 10);
  return cells === 0 ? "" : `${"▇".repeat(cells)} `;
}
