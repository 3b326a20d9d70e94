import type { MemoryDifference } from "../../memory/index.ts";
import { shorten } from "../../shared/text.ts";
import { inLine } from "./show-value.ts";

/** Maximum entries per list; `--json` prints all. */
const SHOWN = 20;

export function showDifference(
  difference: MemoryDifference,
  { a, b }: { readonly a: string; readonly b: string },
): string {
  const { facts, concepts, only_in_a: onlyInA, only_in_b: onlyInB } = difference;
  const disputed = [
    ...facts.map(
      (fact) =>
        `about ${fact.entities.map(inLine).join(", ")}\n  - ${short(fact.a.statement)} (${a} ${fact.a.id})\n  + ${short(fact.b.statement)} (${b} ${fact.b.id})`,
    ),
    ...concepts.map(
      (concept) =>
        `concept ${short(concept.title)}\n  - ${short(concept.a.summary)} (${a})\n  + ${short(concept.b.summary)} (${b})`,
    ),
  ];
  const sections = [
    section(`They disagree on ${disputed.length}:`, disputed),
    section(
      `Only in ${a} (${onlyInA.length}):`,
      onlyInA.map(({ id, text }) => `- ${id}  ${short(text)}`),
    ),
    section(
      `Only in ${b} (${onlyInB.length}):`,
      onlyInB.map(({ id, text }) => `+ ${id}  ${short(text)}`),
    ),
  ].filter((text) => text !== "");
  return sections.length === 0 ? `${a} and ${b} are identical.` : sections.join("\n\n");
}

function section(title: string, rows: readonly string[]): string {
  if (rows.length === 0) return "";
  const more = rows.length > SHOWN ? [`and ${rows.length - SHOWN} more`] : [];
  return [title, ...rows.slice(0, SHOWN), ...more].join("\n");
}

function short(text: string): string {
  return shorten(inLine(text), 100);
}
