import { useEffect, useId, useRef } from "preact/hooks";
import { useQuestion } from "../data/use-question.ts";

interface SuggestFieldProps {
  readonly kind: "label" | "topic" | "entity" | "author" | "concept" | "fact";
  readonly label: string;
  readonly value: string;
  /** Takes the focus when it appears. */
  readonly isFirst?: boolean;
  onInput(text: string): void;
}

/** A text field that knows what is there already. */
export function SuggestField({ kind, label, value, isFirst = false, onInput }: SuggestFieldProps) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const found = useQuestion("suggest", { prefix: value, kinds: [kind], limit: 20 });
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  return (
    <label>
      {label}
      <input
        ref={field}
        list={list}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <datalist id={list}>
        {found.output?.suggestions.map((one) => (
          <option key={one.value} value={one.value}>
            {one.detail}
          </option>
        ))}
      </datalist>
    </label>
  );
}
