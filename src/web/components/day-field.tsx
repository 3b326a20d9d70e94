import { useEffect, useState } from "preact/hooks";
import { Button } from "./controls.tsx";

const DAY_MS = 86_400_000;

interface DayFieldProps {
  /** `2026-03-31`, or empty for any day. */
  readonly value: string;
  onChange(day: string): void;
}

/** A text field, since native date fields use the browser's date format instead of the page's. */
export function DayField({ value, onChange }: DayFieldProps) {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <span class="day-field">
      <input
        aria-label="Day"
        placeholder="YYYY-MM-DD"
        title="Date as YYYY-MM-DD"
        pattern="\d{4}-\d{2}-\d{2}"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={({ currentTarget }) => {
          if (currentTarget.checkValidity()) onChange(currentTarget.value);
        }}
      />
      {value === "" ? (
        <Button onClick={() => onChange(yesterday)}>Yesterday</Button>
      ) : (
        <Button onClick={() => onChange("")}>Any day</Button>
      )}
    </span>
  );
}
