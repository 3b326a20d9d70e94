import { useState } from "preact/hooks";
import { Button } from "../components/controls.tsx";
import { Markdown } from "./markdown.tsx";

const FOLDED_LINES = 40;
const FOLDED_CHARS = 6_000;

interface TextBodyProps {
  readonly text: string;
  /** Shows the full text regardless of its length. */
  readonly isWhole?: boolean;
}

/** Renders stored text as Markdown; collapses long text. */
export function TextBody({ text, isWhole = false }: TextBodyProps) {
  const [isOpen, setOpen] = useState(false);
  const folded = isWhole ? text : fold(text);
  return (
    <div class="text-body">
      <Markdown text={isOpen ? text : folded} isStored />
      {folded.length < text.length && (
        <Button onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </Button>
      )}
    </div>
  );
}

function fold(text: string): string {
  return text.slice(0, FOLDED_CHARS).split("\n").slice(0, FOLDED_LINES).join("\n");
}
