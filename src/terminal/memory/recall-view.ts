import type { OutputOf } from "../../memory/index.ts";
import {
  formatProperty,
  listLineProperties,
  type Presentable,
} from "../../memory/presentation/index.ts";
import { stripControl, stripControlLine } from "../../shared/text.ts";
import { formatAge } from "../../shared/time.ts";

type RecallAnswer = OutputOf<"recall">;

export interface RecallView {
  readonly query: string;
  readonly items: readonly RecallItem[];
  readonly openConflicts: number;
  readonly partial: boolean;
  readonly warnings: readonly string[];
}

export interface RecallItem {
  readonly id: string;
  /** Such as `fact_cluster`, `pattern`, `decision`. */
  readonly type: string;
  readonly score: number;
  readonly text: string;
  /** Such as `3 days ago`. */
  readonly age: string;
  /** Such as `by alice · https://…`. */
  readonly provenance?: string;
  readonly facts: readonly { readonly text: string; readonly note: string }[];
}

export function toRecallView(query: string, found: RecallAnswer, now: Date): RecallView {
  const items = [
    ...found.concepts.map((concept) => createConceptItem(concept, now)),
    ...found.episodes.map((episode) => createEpisodeItem(episode, now)),
  ];
  return {
    query: stripControlLine(query),
    items: items.sort((a, b) => b.score - a.score),
    openConflicts: found.open_conflicts.length,
    partial: found.partial,
    warnings: (found.warnings ?? []).map(({ message }) => stripControlLine(message)),
  };
}

function createConceptItem(concept: RecallAnswer["concepts"][number], now: Date): RecallItem {
  const { id, type, score, title, summary, created_at: time, facts = [] } = concept;
  return {
    id: stripControlLine(id),
    type: stripControlLine(type),
    score,
    text: stripControl(formatHeading(title, summary)),
    age: formatAge(time, now),
    facts: facts.map((fact) => ({
      text: stripControl(fact.statement),
      note: [formatAge(fact.valid_from, now), formatProvenance(fact)]
        .filter((part) => part !== "")
        .join(" · "),
    })),
  };
}

function createEpisodeItem(episode: RecallAnswer["episodes"][number], now: Date): RecallItem {
  const provenance = formatProvenance(episode);
  return {
    id: stripControlLine(episode.id),
    type: stripControlLine(episode.episode_type),
    score: episode.score,
    text: stripControl(episode.content),
    age: formatAge(episode.created_at, now),
    ...(provenance !== "" && { provenance }),
    facts: [],
  };
}

function formatHeading(title: string, summary: string): string {
  if (title === "" || title === summary) return summary;
  return summary === "" ? title : `${title}: ${summary}`;
}

function formatProvenance(record: Presentable): string {
  const known = listLineProperties(record).filter(
    ({ kind }) => kind === "author" || kind === "source",
  );
  return stripControlLine(known.flatMap(formatProperty).join(" · "));
}
