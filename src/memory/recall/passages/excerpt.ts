import { proseOf } from "./settled.ts";

const SETTLING =
  /\b(?:settled|final(?:ly)?|agreed|decided|decision|recap|summary|rule|amend(?:ed|ment)|supersed\w*|confirmed|exactly|must|never|always|only|instead|unless|except|beschlossen|entschieden|immer|nie(?:mals)?|nur|statt|décidé|toujours|jamais|seulement|decidido|siempre|nunca|solo|sempre|deciso|beslist|altijd|nooit|postanowion\w*|zawsze|nigdy)\b|(?:решено|всегда|никогда|только|决定|始终|从不|只|必须|決定|必ず|のみ|항상|결정)/giu;
/** Details that a rule depends on: numbers, identifiers, quoted text. */
const PRECISE = /`[^`]+`|"[^"]+"|'[^']{1,40}'|\b\d[\w.:%-]*|\b\w+(?:[._]\w+)+\b|\b[A-Z]{2,}\w*\b/g;

interface Sentence {
  readonly text: string;
  readonly place: number;
  readonly weight: number;
}

/**
 * The sentences of a text that say what was settled, in order and within so many characters. A text
 * that fits is returned whole, and no sentence is cut if a whole one fits. Omissions are marked.
 */
export function excerpt(text: string, most: number): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const prose = proseOf(whole);
  if (prose.length > 0 && prose.length <= most) return prose;
  const sentences = sentencesOf(prose === "" ? whole : prose);
  const chosen: Sentence[] = [];
  let left = most;
  for (const sentence of [...sentences].sort((a, b) => b.weight - a.weight || b.place - a.place)) {
    if (sentence.text.length + 2 > left) continue;
    chosen.push(sentence);
    left -= sentence.text.length + 2;
  }
  if (chosen.length === 0) return cutAtWord(sentences[0]?.text ?? whole, most);
  chosen.sort((a, b) => a.place - b.place);
  return chosen
    .map(({ text: one, place }, index) => {
      const before = chosen[index - 1]?.place ?? -1;
      const gap = place > before + 1 ? "… " : "";
      return `${gap}${one}`;
    })
    .join(" ");
}

/** Later sentences weigh more, since conclusions come last. */
function sentencesOf(text: string): Sentence[] {
  const parts = text
    .split(/\n+|(?<=[.!?。！？])\s+(?=\S)|(?<=[。！？])/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.map((part, place) => ({
    text: part,
    place,
    weight:
      2 * (part.match(SETTLING)?.length ?? 0) +
      Math.min(4, part.match(PRECISE)?.length ?? 0) +
      (3 * (place + 1)) / parts.length,
  }));
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > most / 2 ? space : most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
