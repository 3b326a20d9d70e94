import { isAbsolute, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk/unstable";
import { isPlainObject } from "../../shared/json.ts";

/** Inserted before `@` so that it is not parsed as a mention. */
const WORD_JOINER = "\u2060";

/**
 * Joins prompt blocks. Project files become mentions, which are read from disk; other text is
 * appended with mentions disabled. Line ranges and selections are stated next to their block.
 */
export function createPromptText(
  blocks: readonly ContentBlock[],
  cwd: string,
  meta?: unknown,
): string {
  const typed: string[] = [];
  const attached: string[] = [];
  for (const block of blocks) {
    const selection = findSelection(block._meta);
    switch (block.type) {
      case "text":
        typed.push(block.text);
        break;
      case "resource_link": {
        const { path, lines = selection?.lines } = parseUri(block.uri);
        const named = formatMention(path, cwd) ?? `${block.name} (${block.uri})`;
        typed.push(lines === undefined ? named : `${named} (${lines})`);
        if (selection?.text !== undefined)
          attached.push(formatAttachment(block.uri, selection.text, lines));
        break;
      }
      case "resource": {
        const { resource } = block;
        const { path, lines = (selection ?? findSelection(resource._meta))?.lines } = parseUri(
          resource.uri,
        );
        const mention = formatMention(path, cwd);
        // A selection may differ from the saved file.
        if (mention !== undefined && lines === undefined) typed.push(mention);
        else if ("text" in resource)
          attached.push(formatAttachment(resource.uri, resource.text, lines));
        else attached.push(`[${resource.uri}: binary data, omitted]`);
        break;
      }
      default:
        attached.push(`[${block.type}, left out]`);
    }
  }
  const active = findSelection(meta);
  if (active !== undefined) attached.push(...describeActive(active, cwd));
  return [joinMessageParts(typed), ...attached].filter((part) => part !== "").join("\n\n");
}

/** Describes the editor's selection at the time of the request. */
function describeActive(
  { uri = "editor:selection", text, lines }: Selection,
  cwd: string,
): string[] {
  if (text !== undefined) return [formatAttachment(uri, text, lines)];
  return lines === undefined
    ? []
    : [`Selected: ${formatMention(parseUri(uri).path, cwd) ?? uri} (${lines})`];
}

/** Editors split messages at mentions and drop the space. */
function joinMessageParts(parts: readonly string[]): string {
  return parts.reduce((text, part) => {
    const needsSpace = text !== "" && !/\s$/.test(text) && !/^[\s.,;:!?)]/.test(part);
    return `${text}${needsSpace ? " " : ""}${part}`;
  }, "");
}

interface ParsedUri {
  /** Undefined for URIs other than `file:`. */
  readonly path: string | undefined;
  readonly lines?: string;
}

/**
 * `#L10`, `#L10-20`, `#L10-L20`, `#L10:20`, `#L10C5-L20C3`, `?line=10&end=20`; for `file:` URIs
 * also `:10-20` and `:10:5`.
 */
const LINE_RANGES = [
  /#L?(\d+)(?:C\d+)?(?:[-:,]L?(\d+)(?:C\d+)?)?$/i,
  /[?&](?:line|lines|start|startLine)=(\d+)(?:[-:,](\d+)|&(?:end|endLine)=(\d+))?/i,
  /(?<=^file:.*):(\d+)(?::\d+)?(?:-(\d+))?$/,
];

/** Only URIs of files and editors have line ranges. */
function parseUri(uri: string): ParsedUri {
  if (/^https?:/i.test(uri)) return { path: undefined };
  for (const pattern of LINE_RANGES) {
    const match = pattern.exec(uri);
    if (match === null) continue;
    const [, first, last, end = last] = match;
    const path = filePath(uri.slice(0, match.index));
    return { path, lines: formatRange(Number(first), end === undefined ? undefined : Number(end)) };
  }
  return { path: filePath(uri) };
}

function formatRange(first: number, last = first): string {
  return last === first ? `line ${first}` : `lines ${first} to ${last}`;
}

function filePath(uri: string): string | undefined {
  if (!uri.startsWith("file://")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function formatMention(file: string | undefined, cwd: string): string | undefined {
  if (file === undefined) return undefined;
  const path = relative(cwd, file);
  if (path === "" || path.startsWith("..") || isAbsolute(path) || path.includes('"')) {
    return undefined;
  }
  return `@"${path}"`;
}

interface Selection {
  readonly uri?: string;
  readonly lines?: string;
  readonly text?: string;
}

const MAX_META_DEPTH = 4;

/**
 * Reads a selection from `_meta`, which the protocol leaves to editors: LSP positions
 * (`start.line`, zero-based) or line numbers (`startLine`, one-based), selected text and file.
 */
function findSelection(meta: unknown, key = "", depth = MAX_META_DEPTH): Selection | undefined {
  if (Array.isArray(meta)) return findSelection(meta[0], key, depth - 1);
  if (!isPlainObject(meta) || depth === 0) return undefined;
  const nested = Object.entries(meta).flatMap(
    ([name, value]) => findSelection(value, name, depth - 1) ?? [],
  );
  const uri = findFirst(isText, meta.uri, meta.path, meta.file, ...nested.map((one) => one.uri));
  const lines = parseLineRange(meta, key) ?? nested.find((one) => one.lines !== undefined)?.lines;
  const text = findFirst(
    isText,
    ...[meta.selectedText, meta.selected_text, ...nested.map((one) => one.text)],
    ...(lines === undefined ? [] : [meta.text, meta.value, meta.content]),
  );
  if (lines === undefined && text === undefined) return undefined;
  return {
    ...(uri !== undefined && { uri: isAbsolute(uri) ? pathToFileURL(uri).href : uri }),
    ...(lines !== undefined && { lines }),
    ...(text !== undefined && { text }),
  };
}

/**
 * Plain `start` and `end` count as lines only inside a key such as `range`; elsewhere they may be
 * times.
 */
function parseLineRange(meta: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const { start, end } = meta;
  if (isPlainObject(start) && isLine(start.line)) {
    const last = isPlainObject(end) && isLine(end.line) ? end.line + 1 : undefined;
    return formatRange(start.line + 1, last);
  }
  const plain = /range|lines?$|selection/i.test(key) ? [start, end] : [];
  const first = findFirst(isLine, meta.startLine, meta.start_line, meta.lineStart, plain[0]);
  const last = findFirst(isLine, meta.endLine, meta.end_line, meta.lineEnd, plain[1]);
  return first === undefined ? undefined : formatRange(first, last);
}

function isLine(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function findFirst<Value>(
  isValue: (value: unknown) => value is Value,
  ...values: readonly unknown[]
): Value | undefined {
  return values.find(isValue);
}

function formatAttachment(uri: string, text: string, lines: string | undefined): string {
  const harmless = text.replace(/@/g, `${WORD_JOINER}@`).replace(/<(?=\s*\/?\s*attached\b)/gi, "‹");
  const range = lines === undefined ? "" : ` selection="${lines}"`;
  return `<attached uri="${uri.replace(/["<>\r\n]/g, " ")}"${range}>\n${harmless}\n</attached>`;
}
