import type { Completion } from "../completion/complete-path.ts";
import type { PendingPrompt, Picker } from "../state/screen.ts";
import type { Line, Span } from "../text/style.ts";
import { lineWidth, padTo, textWidth, truncate } from "../text/wrap.ts";

const GRAY = { color: "gray" } as const;

interface Box {
  readonly width: number;
  readonly rows: number;
}

export function drawCompletion({ items, selected }: Completion, box: Box): readonly Line[] {
  const first = firstShown(selected, items.length, box.rows);
  const shown = items.slice(first, first + box.rows);
  const labels = Math.min(
    Math.max(...shown.map((item) => textWidth(item.label))),
    Math.floor(box.width * 0.6),
  );
  return shown.map((item, index) => [
    marker(first + index === selected),
    {
      text: padTo(truncate(item.label, labels), labels),
      style: { bold: first + index === selected },
    },
    { text: `  ${item.detail}`, style: GRAY },
  ]);
}

const PICKERS: Readonly<Record<Picker["kind"], { title: string; keys: string }>> = {
  sessions: {
    title: "Sessions",
    keys: "type to search, Enter opens, Ctrl-R renames, Ctrl-F forks, Esc closes",
  },
  history: {
    title: "Sent before",
    keys: "type to search, Ctrl-R shows older matches, Enter inserts, Esc closes",
  },
  models: { title: "Models", keys: "type to search, Enter selects, Esc closes" },
};

export function drawPicker(picker: Picker, box: Box): readonly Line[] {
  const { items, selected } = picker;
  const first = firstShown(selected, items.length, box.rows);
  const rows = items.slice(first, first + Math.max(1, box.rows - 1));
  return [
    pickerHead(picker),
    ...rows.map(
      (item, index): Line => [
        marker(first + index === selected),
        { text: item.label, style: { bold: first + index === selected } },
        { text: item.detail === "" ? "" : `  ${item.detail}`, style: GRAY },
      ],
    ),
  ];
}

const CURSOR_CELL: Span = { text: " ", style: { cursor: true } };

function pickerHead({ kind, query, naming, items }: Picker): Line {
  if (naming !== undefined) {
    return [
      { text: "New title › ", style: GRAY },
      { text: naming },
      CURSOR_CELL,
      { text: "· Enter saves, Esc cancels", style: GRAY },
    ];
  }
  const { title, keys } = PICKERS[kind];
  const emptyText = items.length === 0 ? "· none fits " : "";
  return [
    { text: title, style: GRAY },
    { text: query === "" ? "" : ` › ${query}` },
    CURSOR_CELL,
    { text: `${emptyText}· ${keys}`, style: GRAY },
  ];
}

/** Draws choices, on one row if they fit. Highlights none while the user types. */
export function drawChoices(
  { choices, selected }: PendingPrompt,
  box: Box,
  isWriting: boolean,
): readonly Line[] {
  if (choices.length === 0) return [];
  const marked = isWriting ? -1 : selected;
  const row: Line = choices.flatMap((choice, index): readonly Span[] => [
    ...(index > 0 ? [{ text: " " }] : []),
    {
      text: ` ${choice.key} ${choice.label} `,
      style: index === marked ? { inverse: true } : isWriting ? GRAY : {},
    },
  ]);
  if (lineWidth(row) <= box.width) return [row];
  const first = firstShown(selected, choices.length, box.rows);
  return choices
    .slice(first, first + box.rows)
    .map(
      ({ key, label }, index): Line => [
        marker(first + index === marked),
        { text: `${key} `, style: isWriting ? GRAY : { bold: true } },
        { text: label, style: isWriting ? GRAY : { bold: first + index === marked } },
      ],
    );
}

const QUEUE_SHOWN = 3;

export function drawQueue(queue: readonly string[]): readonly Line[] {
  const shown = queue.slice(0, QUEUE_SHOWN).map(
    (text): Line => [
      { text: "waiting ", style: GRAY },
      { text: truncate(text, 200), style: GRAY },
    ],
  );
  const hidden = queue.length - shown.length;
  return hidden > 0 ? [...shown, [{ text: `… and ${hidden} more waiting`, style: GRAY }]] : shown;
}

function marker(isSelected: boolean): Span {
  return isSelected ? { text: "› ", style: { color: "cyan", bold: true } } : { text: "  " };
}

function firstShown(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
}
