import { shorten } from "../../shared/text.ts";
import { Stored } from "./stored.tsx";
import { wordDifference } from "./word-difference.ts";

const LONGEST = 4_000;

/** Shows a value before and after a change. */
export function Difference({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}) {
  const pieces = wordDifference(getText(before), getText(after));
  return (
    <span class="difference">
      {pieces.map(({ text, kind }, index) => {
        const shown = shorten(text, LONGEST);
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        if (kind === "same") return <Stored key={index} text={shown} />;
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        return <Stored key={index} as={kind === "added" ? "ins" : "del"} text={shown} />;
      })}
    </span>
  );
}

function getText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
