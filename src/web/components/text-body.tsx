import { useMemo, useState } from "preact/hooks";
import { type Block, getBlocks } from "../data/markdown.ts";
import { Said, Stored } from "./stored.tsx";

const FOLDED_LINES = 40;
const FOLDED_CHARS = 6_000;

/**
 * Renders stored text as Markdown or as JSON, built from own elements and never as HTML. Long text
 * is collapsed.
 */
export function TextBody({
  text,
  isWhole = false,
}: {
  readonly text: string;
  /** Shows the full text regardless of its length. */
  readonly isWhole?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const folded = isWhole ? text : fold(text);
  const isFolded = folded.length < text.length;
  const shown = isOpen ? text : folded;
  const blocks = useMemo(() => getBlocks(shown), [shown]);
  return (
    <div class="text-body">
      <div class="text">
        {blocks.map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity
          <BlockOfText key={index} of={block} />
        ))}
      </div>
      {isFolded && (
        <button type="button" class="button" onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
        </button>
      )}
    </div>
  );
}

function BlockOfText({ of }: { readonly of: Block }) {
  switch (of.kind) {
    case "code":
      return <Stored as="pre" class="code-block" text={of.text} />;
    case "heading":
      return (
        <p class="text-heading" data-level={of.level} dir="auto">
          <Said text={of.text} />
        </p>
      );
    case "list":
      return (
        <ul class="text-list">
          {of.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity
            <li key={index} dir="auto">
              <Said text={item} />
            </li>
          ))}
        </ul>
      );
    case "quote":
      return (
        <blockquote dir="auto">
          <Said text={of.text} />
        </blockquote>
      );
    case "paragraph":
      return (
        <p dir="auto">
          <Said text={of.text} />
        </p>
      );
  }
}

function fold(text: string): string {
  return text.slice(0, FOLDED_CHARS).split("\n").slice(0, FOLDED_LINES).join("\n");
}
