import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/controls.tsx";
import { Stored } from "../../components/stored.tsx";

const FOLDED_LINES = 400;
const SIGNS = { same: " ", added: "+", removed: "−", gap: " " } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: ", gap: "" } as const;

/** Shows the number of changed lines, such as `+12 −3`. */
export function DiffCount({ diff }: { readonly diff: string }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  const count = (requested: string) => lines.filter(({ kind }) => kind === requested).length;
  return (
    <span class="diff-count">
      <span class="added">+{count("added")}</span> <span class="removed">−{count("removed")}</span>
    </span>
  );
}

export function DiffView({ diff }: { readonly diff: string }) {
  const lines = useMemo(() => diffLines(diff), [diff]);
  const [isComplete, setWhole] = useState(false);
  const shown = isComplete ? lines : lines.slice(0, FOLDED_LINES);
  return (
    <section class="diff" tabIndex={0} aria-label="Diff">
      {shown.map(({ kind, text, number }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={index} class="diff-line" data-kind={kind}>
          <span class="diff-number" aria-hidden="true">
            {number}
          </span>
          <span class="diff-sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          {WORDS[kind] !== "" && <span class="unseen">{WORDS[kind]}</span>}
          <Stored as="code" text={text} />
        </div>
      ))}
      {shown.length < lines.length && (
        <Button onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString("en")} lines
        </Button>
      )}
    </section>
  );
}

interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  /** Line number in the new file, or in the old one for a removed line; undefined for a gap. */
  readonly number: number | undefined;
}

function diffLines(diff: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line);
    if (hunk !== null) {
      if (lines.length > 0) lines.push({ kind: "gap", text: "⋯", number: undefined });
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      continue;
    }
    if (after === 0 && before === 0) continue;
    const text = line.slice(1);
    if (line.startsWith("+")) lines.push({ kind: "added", text, number: after++ });
    else if (line.startsWith("-")) lines.push({ kind: "removed", text, number: before++ });
    else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text, number: after++ });
      before += 1;
    }
  }
  return lines;
}
