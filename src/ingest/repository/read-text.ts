import { nearestName } from "../../shared/nearest.ts";
import { ITEM_ID, type MemoryItem, sortUnique } from "./merge-item.ts";
import { readContent } from "./write-text.ts";

export interface Section {
  readonly line: number;
  readonly item: Omit<MemoryItem, "id"> & { readonly id?: string };
}

export interface TextIssue {
  readonly line: number;
  readonly message: string;
}

export interface MemoryText {
  readonly preamble: string;
  readonly sections: readonly Section[];
  readonly issues: readonly TextIssue[];
}

const ATTRIBUTE_NAMES = ["by", "at", "ref", "entity", "label", "disputes"] as const;
const ATTRIBUTE_LINE = /^- ([A-Za-z_]+):(?: (.*))?$/;

/** Parses a memory file; an item extends to the next heading. */
export function readText(text: string, types: readonly string[]): MemoryText {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const starts = lines.flatMap((line, index) => (line.startsWith("## ") ? [index] : []));
  const issues: TextIssue[] = [];
  const sections = starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? lines.length;
    const read = readSection(lines.slice(start, end), start + 1, types);
    issues.push(...read.issues);
    return read.section === undefined ? [] : [read.section];
  });
  const preamble = lines.slice(0, starts[0] ?? lines.length).join("\n");
  return { preamble: preamble.trim() === "" ? "" : preamble.trimEnd(), sections, issues };
}

function readSection(
  [heading = "", ...below]: readonly string[],
  line: number,
  types: readonly string[],
): { section?: Section; issues: TextIssue[] } {
  const issues: TextIssue[] = [];
  const [type = "", id, ...more] = heading.slice("## ".length).trim().split(/\s+/);
  if (!types.includes(type) || more.length > 0) {
    const nearest = nearestName(type, types);
    const hint = nearest === undefined || nearest === type ? "" : ` Did you mean "${nearest}"?`;
    issues.push({
      line,
      message: `"${heading}" starts no item. Use "## TYPE" with one of ${types.join(", ")}; inside a text use "###" or "\\## ".${hint}`,
    });
    return { issues };
  }
  if (id !== undefined && !ITEM_ID.test(id)) {
    issues.push({
      line,
      message: `"${id}" is not an id of ten letters and digits. Omit it; cairn assigns one.`,
    });
  }
  const count = below.findIndex((one) => !ATTRIBUTE_LINE.test(one));
  const head = count < 0 ? below : below.slice(0, count);
  const values = readAttributes(head, line + 1, issues);
  const content = readContent(trimBlank(count < 0 ? [] : below.slice(count)));
  if (content === "") {
    issues.push({
      line,
      message: `"${heading}" has no text. Add it below, or remove the heading.`,
    });
  }
  const firstValue = (name: string) => values.get(name)?.[0];
  const { by, at, ref } = { by: firstValue("by"), at: firstValue("at"), ref: firstValue("ref") };
  return {
    section: {
      line,
      item: {
        ...(id !== undefined && { id }),
        type,
        content,
        entities: sortUnique(values.get("entity") ?? []),
        labels: sortUnique(values.get("label") ?? []),
        ...(by !== undefined && { by }),
        ...(at !== undefined && { at }),
        ...(ref !== undefined && { ref }),
        disputes: sortUnique(values.get("disputes") ?? []),
      },
    },
    issues,
  };
}

function readAttributes(
  lines: readonly string[],
  first: number,
  issues: TextIssue[],
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [index, text] of lines.entries()) {
    const line = first + index;
    const [, name = "", written = ""] = ATTRIBUTE_LINE.exec(text) ?? [];
    const value = readValue(written.trim());
    if (!ATTRIBUTE_NAMES.some((one) => one === name)) {
      issues.push({
        line,
        message: `"${name}" is not one of ${ATTRIBUTE_NAMES.join(", ")}. If it is text, insert a blank line above it.`,
      });
    } else if (value === undefined || value === "") {
      issues.push({
        line,
        message: `"${name}" has no valid value. Set one, or remove the line.`,
      });
    } else if (name === "at" && Number.isNaN(Date.parse(value))) {
      issues.push({
        line,
        message: `at: "${value}" is not a time. Use 2026-11-25 or 2026-11-25T10:00:00Z.`,
      });
    } else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

function readValue(written: string): string | undefined {
  if (!written.startsWith('"')) return written;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const isText = (line: string) => line.trim() !== "";
  const from = lines.findIndex(isText);
  return from < 0 ? [] : lines.slice(from, lines.findLastIndex(isText) + 1);
}
