import { stripControl, stripControlLine } from "../../shared/text.ts";
import { formatAge } from "../../shared/time.ts";
import type { Style } from "./style.ts";

export type Fields = Readonly<Record<string, unknown>>;

const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export function showScalar(value: unknown, style: Style): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return showNumber(value);
  if (typeof value === "string" && TIMESTAMP_PATTERN.test(value)) return showTime(value, style);
  return stripControl(String(value));
}

/** Rounds to three decimals. */
export function showNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(3)));
}

/** Such as `2026-03-31 10:30 (2 days ago)`. */
export function showTime(timestamp: string, style: Style): string {
  const moment = timestamp.slice(0, 16).replace("T", " ");
  return `${moment} ${style.colors.dim(`(${formatAge(timestamp, style.now)})`)}`;
}

export function showAge(timestamp: unknown, style: Style): string {
  return typeof timestamp === "string" ? formatAge(timestamp, style.now) : "";
}

export function toInline(value: unknown): string {
  return stripControlLine(String(value ?? ""));
}

export function showList(values: readonly unknown[] = []): string {
  return values.map(toInline).join(", ");
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * True if a field has content. `Shown` lists possible fields so that renaming one is a compile
 * error.
 */
export function hasValue<Shown = Fields>(
  record: Fields,
  ...names: readonly (keyof Shown & string)[]
): boolean {
  return names.every((name) => record[name] !== undefined && record[name] !== null);
}
