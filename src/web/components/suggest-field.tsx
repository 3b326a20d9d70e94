import { useEffect, useId, useRef } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";

interface SuggestFieldProps {
  readonly kind: "label" | "topic" | "entity" | "author" | "concept" | "fact";
  readonly label: string;
  readonly value: string;
  /** Focuses the field when it is mounted. */
  readonly isFirst?: boolean;
  /** Comma-separated values; completes the last one. */
  readonly isList?: boolean;
  onInput(text: string): void;
}

/** Text field with suggestions from stored values. */
export function SuggestField(props: SuggestFieldProps) {
  const { kind, label, value, isFirst = false, isList = false, onInput } = props;
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const before = isList ? value.slice(0, value.lastIndexOf(",") + 1) : "";
  const prefix = value.slice(before.length).trim();
  const found = useQuery("suggest", { prefix, kinds: [kind], limit: 20 });
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  return (
    <>
      <label>
        {label}
        <input
          ref={field}
          autofocus={isFirst}
          list={list}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </label>
      <datalist id={list}>
        {found.output?.suggestions.map((one) => (
          <option key={one.value} value={`${before}${before === "" ? "" : " "}${one.value}`}>
            {one.detail}
          </option>
        ))}
      </datalist>
    </>
  );
}
