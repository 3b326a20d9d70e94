/** Incremental Markdown: complete blocks are emitted, the rest is pending. */
export interface MarkdownStream {
  readonly pending: string;
  readonly openFence?: string;
  readonly continues?: boolean;
}

export interface MarkdownBlock {
  readonly text: string;
  readonly continues: boolean;
}

export const emptyStream: MarkdownStream = { pending: "" };

const MAX_PENDING_LINES = 16;
/** Forces a split of an endless line. */
const MAX_PENDING_CHARACTERS = 4000;

/**
 * Appends `delta` and emits blocks that can no longer change. Splits at empty lines, after code
 * blocks, and inside long code blocks and lists. Work per call is bounded by the pending text.
 */
export function pushMarkdown(
  stream: MarkdownStream,
  delta: string,
): { stream: MarkdownStream; blocks: readonly MarkdownBlock[] } {
  const blocks: MarkdownBlock[] = [];
  let next: MarkdownStream = { ...stream, pending: stream.pending + delta };
  for (;;) {
    const cut = findCut(next);
    if (cut === undefined) return { stream: next, blocks };
    blocks.push(...parseBlock(next, cut.at));
    next = {
      pending: next.pending.slice(cut.at),
      ...(cut.openFence !== undefined && { openFence: cut.openFence }),
      ...(cut.continues === true && { continues: true }),
    };
  }
}

export function finishMarkdown(stream: MarkdownStream): readonly MarkdownBlock[] {
  return parseBlock(stream, stream.pending.length);
}

export function pendingMarkdown(stream: MarkdownStream): string {
  return stream.openFence === undefined ? stream.pending : `${stream.openFence}\n${stream.pending}`;
}

interface CutPoint {
  readonly at: number;
  readonly continues?: boolean;
  readonly openFence?: string;
}

function parseBlock(stream: MarkdownStream, end: number): readonly MarkdownBlock[] {
  const text = stream.pending.slice(0, end);
  if (stream.openFence !== undefined) {
    const body = text.replace(/\n?$/, "");
    const closed = isClosing(body.slice(body.lastIndexOf("\n") + 1), stream.openFence);
    if (body === "" || (closed && !body.includes("\n"))) return [];
    return [{ text: `${stream.openFence}\n${body}`, continues: true }];
  }
  if (text.trim() === "") return [];
  const body = text.replace(/^(?:[ \t]*\n)+/, "");
  return [{ text: body, continues: stream.continues === true }];
}

function findCut(stream: MarkdownStream): CutPoint | undefined {
  const { pending } = stream;
  let fence = stream.openFence;
  let lines = 0;
  let position = 0;
  let afterBlank = false;
  let inTable = false;
  while (position < pending.length && position <= MAX_PENDING_CHARACTERS) {
    const end = pending.indexOf("\n", position);
    const line = end === -1 ? pending.slice(position) : pending.slice(position, end);
    const after = end + 1;
    if (fence === undefined && afterBlank && /^\S/.test(line)) return { at: position };
    if (end === -1) break;
    lines += 1;
    if (fence !== undefined) {
      if (isClosing(line, fence)) {
        if (!/^\s/.test(fence)) return { at: after };
        fence = undefined;
      } else if (lines > MAX_PENDING_LINES && !/^\s/.test(fence)) {
        return { at: after, openFence: fence };
      }
    } else if (/^\s*(?:`{3,}[^`]*|~{3,}.*)$/.test(line)) {
      // Text before a code block is complete.
      if (position > 0 && !/^\s/.test(line) && pending.slice(0, position).trim() !== "") {
        return { at: position };
      }
      fence = line;
    } else if (/^(?:[-*+]|\d+[.)])\s/.test(line)) {
      if (lines > MAX_PENDING_LINES && position > 0) return { at: position, continues: true };
    }
    inTable = line.startsWith("|");
    afterBlank = fence === undefined && line.trim() === "" && position > 0;
    position = after;
  }
  if (pending.length <= MAX_PENDING_CHARACTERS) return undefined;
  const at = findForcedCut(pending, inTable);
  return fence === undefined ? { at, continues: true } : { at, openFence: fence };
}

function findForcedCut(pending: string, inTable: boolean): number {
  const head = pending.slice(0, MAX_PENDING_CHARACTERS);
  const at = Math.max(head.lastIndexOf("\n"), inTable ? -1 : head.lastIndexOf(" "));
  if (at > 0) return at + 1;
  // Never split a surrogate pair.
  return /[\ud800-\udbff]$/.test(head) ? MAX_PENDING_CHARACTERS - 1 : MAX_PENDING_CHARACTERS;
}

function isClosing(line: string, fence: string): boolean {
  const marker = /^\s*(`{3,}|~{3,})/.exec(fence)?.[1] ?? "```";
  const closing = /^\s{0,12}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return closing !== undefined && closing[0] === marker[0] && closing.length >= marker.length;
}
