import { Button } from "./controls.tsx";

const DAY_MS = 86_400_000;

interface DayFieldProps {
  readonly label: string;
  /** `2026-03-31`, or empty for any day. */
  readonly value: string;
  onChange(day: string): void;
}

export function DayField({ label, value, onChange }: DayFieldProps) {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  return (
    <span class="day-field">
      <label>
        <span class="unseen">{label}</span>
        <input
          type="date"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </label>
      {value === "" ? (
        <Button onClick={() => onChange(yesterday)}>Yesterday</Button>
      ) : (
        <Button onClick={() => onChange("")}>Any day</Button>
      )}
    </span>
  );
}
