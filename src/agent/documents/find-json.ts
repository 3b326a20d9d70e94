/** A text with more possible starts is noise. */
const MAX_STARTS = 200;

/**
 * Yields JSON objects and arrays in a model's answer, most likely first: fenced blocks, the whole
 * text, then whatever starts with `{` or `[`.
 */
export function* findJson(text: string): Generator<unknown> {
  for (const candidate of [...fencedBlocks(text), text]) {
    const value = parseObject(candidate);
    if (value !== undefined) yield value;
  }
  yield* findEmbedded(text);
}

/** Returns the bodies of fenced code blocks; an open one extends to the end. */
export function fencedBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let body: string[] = [];
  for (const line of text.split("\n")) {
    const fenceMatch = /^\s*(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (fence === undefined) {
      fence = fenceMatch?.[1];
      body = [];
    } else if (fenceMatch?.[1] === fence && fenceMatch[2]?.trim() === "") {
      blocks.push(body.join("\n"));
      fence = undefined;
    } else body.push(line);
  }
  return fence === undefined ? blocks : [...blocks, body.join("\n")];
}

function* findEmbedded(text: string): Generator<unknown> {
  let starts = 0;
  for (let start = nextStart(text, 0); start !== -1; start = nextStart(text, start)) {
    starts += 1;
    if (starts > MAX_STARTS) return;
    const end = findValueEnd(text, start);
    const value = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (value !== undefined) yield value;
    start = value === undefined || end === undefined ? start + 1 : end;
  }
}

function nextStart(text: string, from: number): number {
  const found = text.slice(from).search(/[{[]/);
  return found === -1 ? -1 : from + found;
}

function findValueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return undefined;
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Expected: not JSON; the next candidate may be.
    return undefined;
  }
}
