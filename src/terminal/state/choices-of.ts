import type { Choice } from "../../agent/index.ts";

/** The choices that a question spells out: `[y]es to save, [n]o to revise` or `[1] the first`. */
export function choicesOf(question: string): readonly Choice[] {
  const last = question.trimEnd().split("\n").at(-1) ?? "";
  const choices = Array.from(
    last.matchAll(/\[([A-Za-z0-9])\]([^,;[\]?]*)/g),
    ([, key = "", rest = ""]): Choice => {
      const label = rest.startsWith(" ") ? rest.trim() : `${key}${rest}`.trim();
      return { key, label: label.replace(/\s+or$/, "") };
    },
  );
  return choices.length > 1 ? choices : [];
}

/** The question without the choices at its end, which stand in a row of their own. */
export function withoutChoices(question: string): string {
  if (choicesOf(question).length === 0) return question;
  const lines = question.trimEnd().split("\n");
  const last = lines.pop() ?? "";
  return [...lines, last.slice(0, last.search(/\[[A-Za-z0-9]\]/)).trimEnd()].join("\n").trim();
}
