import type { Draft } from "./draft-changeset.ts";

interface ConceptFieldsProps {
  readonly draft: Draft;
  readonly changeset: string;
  change(part: Partial<Draft>): void;
}

export function ConceptFields({ draft, changeset, change }: ConceptFieldsProps) {
  return (
    <div class="fields">
      <label>
        What do they say together? Title
        <input
          value={draft.title}
          onInput={({ currentTarget }) => change({ title: currentTarget.value })}
        />
      </label>
      <label>
        Summary
        <textarea
          rows={3}
          value={draft.summary}
          onInput={({ currentTarget }) => change({ summary: currentTarget.value })}
        />
      </label>
      <label>
        Confidence {draft.confidence.toFixed(2)}
        <input
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={draft.confidence}
          onInput={({ currentTarget }) => change({ confidence: Number(currentTarget.value) })}
        />
      </label>
      <details open={draft.title !== ""}>
        <summary>What will be written</summary>
        <pre class="json">{changeset}</pre>
      </details>
    </div>
  );
}
