import { shorten } from "../../kernel/shorten.ts";
import { wordDifference } from "./word-difference.ts";

const LONGEST = 4_000;

/** A value before and after. */
export function Difference({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}) {
  const pieces = wordDifference(textOf(before), textOf(after));
  return (
    <span class="difference" dir="auto">
      {pieces.map(({ text, kind }, index) => {
        const shown = shorten(text, LONGEST);
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        if (kind === "same") return <span key={index}>{shown}</span>;
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        return kind === "added" ? <ins key={index}>{shown}</ins> : <del key={index}>{shown}</del>;
      })}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
