import { diffArrays } from "diff";
import { shorten } from "../../shared/text.ts";
import { Stored } from "./stored.tsx";

interface Piece {
  readonly text: string;
  readonly kind: "same" | "added" | "removed";
}

/** Maximum edits searched for: the time grows with their square. */
const MAX_EDITS = 600;

export function wordDifference(before: string, after: string): readonly Piece[] {
  const changes = diffArrays(getWords(before), getWords(after), { maxEditLength: MAX_EDITS });
  if (changes === undefined) {
    return [
      { text: before, kind: "removed" },
      { text: after, kind: "added" },
    ];
  }
  return changes.map(({ value, added, removed }) => ({
    text: value.join(""),
    kind: added ? "added" : removed ? "removed" : "same",
  }));
}

function getWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

const MAX_CHARS = 4_000;
const ELEMENTS = { same: "bdi", added: "ins", removed: "del" } as const;

interface DifferenceProps {
  readonly before: unknown;
  readonly after: unknown;
}

/** Shows a value before and after a change. */
export function Difference({ before, after }: DifferenceProps) {
  return (
    <span class="difference">
      {wordDifference(getText(before), getText(after)).map(({ text, kind }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        <Stored key={index} as={ELEMENTS[kind]} text={shorten(text, MAX_CHARS)} />
      ))}
    </span>
  );
}

function getText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
