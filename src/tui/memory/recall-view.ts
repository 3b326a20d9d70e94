import { isPlainObject } from "../../kernel/json.ts";
import { stripControl, stripControlLine } from "../../kernel/strip-control.ts";

/** What recall found, ready to be drawn: text without control sequences, times as ages. */
export interface RecallView {
  readonly query: string;
  readonly items: readonly RecallItem[];
  readonly openConflicts: number;
  /** Not everything could be searched: time ran out, or vectors are missing. */
  readonly partial: boolean;
}

export interface RecallItem {
  readonly id: string;
  /** `fact_cluster`, `pattern`, `decision` … */
  readonly type: string;
  /** 0..1 */
  readonly score: number;
  readonly text: string;
  /** `3 days ago`; absent where the item has no time of its own. */
  readonly age?: string;
  /** Who said it and where: `by alice · https://…`. */
  readonly provenance?: string;
  readonly facts: readonly { readonly text: string; readonly note: string }[];
}

/** Reads the output of the `recall` operation; highest score first. */
export function toRecallView(query: string, output: unknown, now: Date): RecallView {
  const found = isPlainObject(output) ? output : {};
  const concepts = objectsIn(found.concepts).map((concept) => toItem(concept, "concept", now));
  const episodes = objectsIn(found.episodes).map((episode) => toItem(episode, "episode", now));
  return {
    query: stripControlLine(query),
    items: [...concepts, ...episodes].sort((a, b) => b.score - a.score),
    openConflicts: objectsIn(found.open_conflicts).length,
    partial: found.partial === true,
  };
}

/** `just now`, `5 min ago`, `3 h ago`, `2 days ago`, `4 months ago`. */
export function ageOf(timestamp: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(timestamp)) / 1000;
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 60) return "just now";
  const unit = AGE_UNITS.find(({ most, size }) => seconds / size < most) ?? OLDEST_UNIT;
  const count = Math.max(1, Math.floor(seconds / unit.size));
  return `${count} ${count === 1 ? unit.one : unit.many} ago`;
}

const OLDEST_UNIT = {
  size: 31_557_600,
  one: "year",
  many: "years",
  most: Number.POSITIVE_INFINITY,
};
const AGE_UNITS = [
  { size: 60, one: "min", many: "min", most: 60 },
  { size: 3600, one: "h", many: "h", most: 24 },
  { size: 86_400, one: "day", many: "days", most: 30 },
  { size: 2_629_800, one: "month", many: "months", most: 12 },
  OLDEST_UNIT,
];

function toItem(item: Record<string, unknown>, kind: string, now: Date): RecallItem {
  const title = textIn(item, "title");
  const summary = textIn(item, kind === "concept" ? "summary" : "content") ?? "";
  const time = textIn(item, "created_at");
  const provenance = provenanceOf(item);
  return {
    id: stripControlLine(textIn(item, "id") ?? ""),
    type: stripControlLine(textIn(item, "type") ?? textIn(item, "episode_type") ?? kind),
    score: typeof item.score === "number" ? item.score : 0,
    text: stripControl(headed(title, summary)),
    ...(time === undefined ? {} : { age: ageOf(time, now) }),
    ...(provenance === "" ? {} : { provenance }),
    facts: objectsIn(item.facts).map((fact) => ({
      text: stripControl(textIn(fact, "statement") ?? ""),
      note: [ageOf(textIn(fact, "valid_from") ?? "", now), provenanceOf(fact)]
        .filter((part) => part !== "")
        .join(" · "),
    })),
  };
}

/** The title before the summary, where both say something of their own. */
function headed(title: string | undefined, summary: string): string {
  if (title === undefined || title === summary) return summary;
  return summary === "" ? title : `${title}: ${summary}`;
}

function provenanceOf(item: Record<string, unknown>): string {
  const by = textIn(item, "asserted_by");
  const parts = [by === undefined ? undefined : `by ${by}`, textIn(item, "source_ref")];
  return stripControlLine(parts.filter((part) => part !== undefined).join(" · "));
}

function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}

function textIn(item: Record<string, unknown>, field: string): string | undefined {
  const value = item[field];
  return typeof value === "string" && value !== "" ? value : undefined;
}
