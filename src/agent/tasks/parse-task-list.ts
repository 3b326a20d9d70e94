import { invalidInput } from "../../shared/errors.ts";
import type { TaskDraft } from "./task-store.ts";
import { parseTaskListJson } from "./task-store.ts";

/** `- x`, `* x`, `+ x`, `1. x`, `1) x`, each with or without a checkbox. */
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\[[ xX]?\][ \t]*)?(.*)$/;
const FENCE = /^[ \t]*(`{3,}|~{3,})/;
const MAX_NAME = 200;
const MAX_HEAD = 2_000;

/**
 * Parses a model's answer: a markdown list (`- [ ] Name: description`, nested lines are details) or
 * JSON. Throws invalid_input.
 */
export function parseTaskList(answer: string): readonly TaskDraft[] {
  const fromJson = parseTaskListJson(answer);
  if (fromJson !== undefined) return fromJson;
  const drafts = readItems(answer)
    .map(toDraft)
    .filter((draft) => draft.name !== "");
  if (drafts.length > 0) return drafts;
  throw invalidInput(
    "The response contains no list of tasks. Expected lines such as: - [ ] Name: description",
  );
}

interface Item {
  readonly head: string;
  readonly details: readonly string[];
}

/** Items of the outermost list; if there are checkboxes, only those. */
function readItems(answer: string): readonly Item[] {
  const lines = answer.replace(/\r\n?/g, "\n").split("\n").map(readLine);
  const marked = markFences(lines);
  const items = marked.filter((line) => line.item !== undefined && !line.inCode);
  const boxed = items.filter((line) => line.item?.boxed === true);
  const starts = boxed.length > 0 ? boxed : items;
  const outermost = smallestIndent(starts.map((line) => line.indent));
  const isStart = (line: Line) =>
    line.item !== undefined &&
    !line.inCode &&
    line.indent === outermost &&
    (boxed.length === 0 || line.item.boxed);
  return collect(marked, isStart, outermost);
}

interface Line {
  readonly text: string;
  readonly indent: number;
  readonly inCode: boolean;
  readonly item: { readonly boxed: boolean; readonly text: string } | undefined;
}

function readLine(text: string): Line {
  const match = ITEM.exec(text);
  const indent = /^[ \t]*/.exec(text)?.[0].replace(/\t/g, "    ").length ?? 0;
  const item =
    match === null ? undefined : { boxed: match[2] !== undefined, text: (match[3] ?? "").trim() };
  return { text, indent, inCode: false, item };
}

/**
 * Marks lines of code blocks within items. A block that opens outside of items wraps the whole
 * list, and its fence lines are ignored.
 */
function markFences(lines: readonly Line[]): readonly Line[] {
  const marked: Line[] = [];
  let open: string | undefined;
  for (const line of lines) {
    const fence = FENCE.exec(line.text)?.[1];
    const isWrapper = line.indent === 0 && fence !== undefined;
    if (isWrapper && open === undefined) continue;
    if (open === undefined && fence !== undefined) open = fence;
    else if (open !== undefined && fence === open) {
      marked.push({ ...line, inCode: true });
      open = undefined;
      continue;
    }
    marked.push(open === undefined ? line : { ...line, inCode: true });
  }
  return marked;
}

function collect(
  lines: readonly Line[],
  isStart: (line: Line) => boolean,
  outermost: number,
): readonly Item[] {
  const items: { head: string; details: string[] }[] = [];
  let current: { head: string; details: string[] } | undefined;
  for (const line of lines) {
    if (isStart(line)) {
      current = { head: line.item?.text ?? "", details: [] };
      items.push(current);
    } else if (line.text.trim() === "" || line.indent > outermost) {
      current?.details.push(line.text);
    } else if (current?.details.at(-1)?.trim() === "" || /^#|^[-*+] |^\d+[.)] /.test(line.text)) {
      // A paragraph after a blank line, a heading or another list ends the item.
      current = undefined;
    } else current?.details.push(line.text);
  }
  return items;
}

function toDraft({ head, details }: Item): TaskDraft {
  const { name, description } = splitName(head.slice(0, MAX_HEAD));
  const { rest, relatedFiles, acceptanceCriteria } = readDetails(details);
  return {
    name: name.slice(0, MAX_NAME),
    description: [description + head.slice(MAX_HEAD), rest]
      .filter((part) => part !== "")
      .join("\n"),
    relatedFiles,
    acceptanceCriteria,
  };
}

function splitName(head: string): { name: string; description: string } {
  const bold = /^(\*\*|__)(.+?)\1[ \t]*(?::|-|–|—)?[ \t]*(.*)$/.exec(head);
  if (bold !== null) {
    const name = (bold[2] ?? "").replace(/:\s*$/, "").trim();
    return { name: stripMarkup(name), description: (bold[3] ?? "").trim() };
  }
  const plainSplit = /^((?:`[^`]*`|[^:`])+?)(?::\s+|\s+[–—-]\s+)(.*)$/.exec(head);
  if (plainSplit === null) return { name: stripMarkup(head.replace(/:\s*$/, "")), description: "" };
  return { name: stripMarkup(plainSplit[1] ?? ""), description: (plainSplit[2] ?? "").trim() };
}

function stripMarkup(name: string): string {
  return name
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

type Section = "rest" | "relatedFiles" | "acceptanceCriteria";

const HEADINGS: readonly (readonly [RegExp, Section])[] = [
  [/^(?:related |relevant )?files?(?: to (?:change|touch|edit))?$/i, "relatedFiles"],
  [/^(?:acceptance criteria|acceptance|criteria|done when)$/i, "acceptanceCriteria"],
  [/^(?:description|details|notes?)$/i, "rest"],
];

function readDetails(details: readonly string[]) {
  const sections: Record<Section, string[]> = {
    rest: [],
    relatedFiles: [],
    acceptanceCriteria: [],
  };
  let section: Section = "rest";
  for (const line of dedent(details)) {
    const content = line.replace(ITEM, "$3").trim();
    const label = /^(?:\*\*|__)?([A-Za-z ]+?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*(.*)$/.exec(content);
    const named = HEADINGS.find(([heading]) => heading.test(label?.[1] ?? ""))?.[1];
    if (named !== undefined) {
      section = named;
      sections[section].push(...parseValues(section, label?.[2] ?? ""));
    } else sections[section].push(...(section === "rest" ? [line] : parseValues(section, content)));
  }
  return {
    rest: sections.rest.join("\n").trim(),
    relatedFiles: sections.relatedFiles,
    acceptanceCriteria: sections.acceptanceCriteria,
  };
}

function parseValues(section: Section, text: string): readonly string[] {
  const values = section === "relatedFiles" ? text.split(/,\s*|\s+and\s+/) : [text];
  return values
    .map((value) => (section === "relatedFiles" ? value.replace(/`/g, "") : value).trim())
    .filter((value) => value !== "");
}

function dedent(lines: readonly string[]): readonly string[] {
  const expanded = lines.map((line) => line.replace(/\t/g, "    ").trimEnd());
  const indents = expanded.filter((line) => line !== "").map((line) => line.search(/\S/));
  const shared = smallestIndent(indents);
  return expanded.map((line) => line.slice(Math.min(shared, line.length)));
}

/** For any count, unlike `Math.min`. */
function smallestIndent(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.MAX_SAFE_INTEGER);
}
