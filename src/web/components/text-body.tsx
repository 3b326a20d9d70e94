import { useState } from "preact/hooks";
import { Stored } from "./stored.tsx";

const FOLDED_LINES = 40;
const FOLDED_CHARS = 6_000;

/** Text as it was stored, never as markup. What is very long is folded. */
export function TextBody({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const folded = fold(text);
  const isFolded = folded.length < text.length;
  return (
    <div class="text-body">
      <Stored as="div" class="text" text={isOpen ? text : folded} />
      {isFolded && (
        <button type="button" class="button" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Fold" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
    </div>
  );
}

function fold(text: string): string {
  return text.slice(0, FOLDED_CHARS).split("\n").slice(0, FOLDED_LINES).join("\n");
}
