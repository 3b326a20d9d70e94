import { truncateText } from "../../shared/text.ts";
import { formatItem, type RecalledItem, type TextStyle } from "./format-for-agent.ts";
import { matchingPart } from "./matching-part.ts";

/** A part with fewer characters than this is not worth showing. */
const MIN_PART = 60;
const NARROWER = 0.9;

/**
 * The text of an item that does not fit whole: for an episode the part most relevant to the query, else its
 * beginning.
 */
export function cutItem(item: RecalledItem, style: TextStyle, most: number): string {
  const whole = formatItem(item, style);
  return partWithin(item, style, most) ?? `${truncateText(whole, most - 1)}…`;
}

function partWithin(item: RecalledItem, style: TextStyle, most: number): string | undefined {
  if (item.kind !== "episode") return undefined;
  const { episode, words } = item;
  const textOf = (content: string) =>
    formatItem({ ...item, episode: { ...episode, content } }, style);
  const room = most - codePoints(textOf(""));
  for (let left = room; left >= MIN_PART; left = Math.floor(left * NARROWER)) {
    const part = matchingPart(episode.content, words, left);
    if (part === undefined) return undefined;
    const text = textOf(part);
    if (codePoints(text) <= most) return text;
  }
  return undefined;
}

/** Length in code points, which is how `max_chars` counts. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
