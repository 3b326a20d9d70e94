const DAYS = 730;
const DAY_MS = 86_400_000;

export function TimeSlider({
  value,
  onChange,
}: {
  readonly value: string;
  onChange(day: string): void;
}) {
  const today = Math.floor(Date.now() / DAY_MS);
  const back = value === "" ? 0 : today - Math.floor(Date.parse(value) / DAY_MS);
  return (
    <label class="time-slider">
      <span>{value === "" ? "Valid now" : `Valid at ${value}`}</span>
      <input
        type="range"
        min={0}
        max={DAYS}
        value={DAYS - Math.min(DAYS, Math.max(0, back))}
        onInput={({ currentTarget }) => {
          const days = DAYS - Number(currentTarget.value);
          onChange(days === 0 ? "" : new Date((today - days) * DAY_MS).toISOString().slice(0, 10));
        }}
      />
    </label>
  );
}
