import { useMemo, useState } from "preact/hooks";
import { diffLines } from "../../agent/diff-lines.ts";
import { Stored } from "../../components/stored.tsx";

const FOLDED_LINES = 400;
const SIGNS = { same: " ", added: "+", removed: "−", gap: " " } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: ", gap: "" } as const;

/** Shows the number of changed lines, such as `+12 −3`. */
export function DiffCount({ of }: { readonly of: string }) {
  const lines = useMemo(() => diffLines(of), [of]);
  const count = (requested: string) => lines.filter(({ kind }) => kind === requested).length;
  return (
    <span class="diff-count">
      <span class="added">+{count("added")}</span> <span class="removed">−{count("removed")}</span>
    </span>
  );
}

export function DiffView({ of }: { readonly of: string }) {
  const lines = useMemo(() => diffLines(of), [of]);
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
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString("en")} lines
        </button>
      )}
    </section>
  );
}
