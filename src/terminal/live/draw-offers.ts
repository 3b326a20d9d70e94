import type { Completion } from "../completion/complete-path.ts";
import type { PendingPrompt, Picker } from "../state/screen.ts";
import type { Line, Span } from "../text/style.ts";
import { lineWidth, padTo, textWidth, truncate } from "../text/wrap.ts";

const GRAY_STYLE = { color: "gray" } as const;

interface Box {
  readonly width: number;
  readonly rows: number;
}

export function drawCompletion({ items, selected }: Completion, box: Box): readonly Line[] {
  const first = firstVisibleIndex(selected, items.length, box.rows);
  const visible = items.slice(first, first + box.rows);
  const labels = Math.min(
    Math.max(...visible.map((item) => textWidth(item.label))),
    Math.floor(box.width * 0.6),
  );
  return visible.map((item, index) => [
    drawMarker(first + index === selected),
    {
      text: padTo(truncate(item.label, labels), labels),
      style: { bold: first + index === selected },
    },
    { text: `  ${item.detail}`, style: GRAY_STYLE },
  ]);
}

const PICKER_LABELS: Readonly<Record<Picker["kind"], { title: string; keys: string }>> = {
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
  const first = firstVisibleIndex(selected, items.length, box.rows);
  const rows = items.slice(first, first + Math.max(1, box.rows - 1));
  return [
    drawPickerHeader(picker),
    ...rows.map(
      (item, index): Line => [
        drawMarker(first + index === selected),
        { text: item.label, style: { bold: first + index === selected } },
        { text: item.detail === "" ? "" : `  ${item.detail}`, style: GRAY_STYLE },
      ],
    ),
  ];
}

const CURSOR_CELL: Span = { text: " ", style: { cursor: true } };

function drawPickerHeader({ kind, query, naming, items }: Picker): Line {
  if (naming !== undefined) {
    return [
      { text: "New title › ", style: GRAY_STYLE },
      { text: naming },
      CURSOR_CELL,
      { text: "· Enter saves, Esc cancels", style: GRAY_STYLE },
    ];
  }
  const { title, keys } = PICKER_LABELS[kind];
  const emptyText = items.length === 0 ? "· none fits " : "";
  return [
    { text: title, style: GRAY_STYLE },
    { text: query === "" ? "" : ` › ${query}` },
    CURSOR_CELL,
    { text: `${emptyText}· ${keys}`, style: GRAY_STYLE },
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
      style: index === marked ? { inverse: true } : isWriting ? GRAY_STYLE : {},
    },
  ]);
  if (lineWidth(row) <= box.width) return [row];
  const first = firstVisibleIndex(selected, choices.length, box.rows);
  return choices
    .slice(first, first + box.rows)
    .map(
      ({ key, label }, index): Line => [
        drawMarker(first + index === marked),
        { text: `${key} `, style: isWriting ? GRAY_STYLE : { bold: true } },
        { text: label, style: isWriting ? GRAY_STYLE : { bold: first + index === marked } },
      ],
    );
}

const MAX_QUEUED = 3;

export function drawQueue(queue: readonly string[]): readonly Line[] {
  const queuedLines = queue.slice(0, MAX_QUEUED).map(
    (text): Line => [
      { text: "waiting ", style: GRAY_STYLE },
      { text: truncate(text, 200), style: GRAY_STYLE },
    ],
  );
  const hidden = queue.length - queuedLines.length;
  return hidden > 0
    ? [...queuedLines, [{ text: `… and ${hidden} more waiting`, style: GRAY_STYLE }]]
    : queuedLines;
}

function drawMarker(isSelected: boolean): Span {
  return isSelected ? { text: "› ", style: { color: "cyan", bold: true } } : { text: "  " };
}

function firstVisibleIndex(selected: number, count: number, rows: number): number {
  return Math.max(0, Math.min(selected - Math.floor(rows / 2), count - rows));
}
