import { useState } from "preact/hooks";
import { Button } from "../components/controls.tsx";
import { Stored } from "../components/stored.tsx";
import { Markdown } from "./markdown.tsx";

const FOLDED_LINES = 40;
const FOLDED_CHARS = 6_000;

interface TextBodyProps {
  readonly text: string;
  /** Shows the full text regardless of its length. */
  readonly isWhole?: boolean;
  /** True only for agent responses and Markdown files; memories are shown as typed. */
  readonly isMarkdown?: boolean;
}

/** Renders stored text as typed, or as Markdown; collapses long text. */
export function TextBody({ text, isWhole = false, isMarkdown = false }: TextBodyProps) {
  const [isOpen, setOpen] = useState(false);
  const folded = isWhole ? text : fold(text);
  const shown = isOpen ? text : folded;
  return (
    <div class="text-body">
      {isMarkdown ? <Markdown text={shown} /> : <Stored as="div" class="text" text={shown} />}
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
