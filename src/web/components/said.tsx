import { type Mark, marksOf } from "../data/markdown.ts";
import { Stored } from "./stored.tsx";

/** Stored text within a line: Markdown's emphasis and code are drawn, everything else is text. */
export function Said({ text }: { readonly text: string }) {
  return (
    <>
      {marksOf(text).map((mark, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
        <Marked key={index} of={mark} />
      ))}
    </>
  );
}

function Marked({ of: { kind, text } }: { readonly of: Mark }) {
  if (kind === "code") return <Stored as="code" text={text} />;
  if (kind === "strong") return <Stored as="strong" text={text} />;
  if (kind === "emphasis") return <Stored as="em" text={text} />;
  return <Stored text={text} />;
}
