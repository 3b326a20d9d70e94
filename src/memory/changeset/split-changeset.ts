export interface ChangesetPart {
  readonly text: string;
  readonly ops: number;
  readonly firstOp: number;
  readonly firstLine: number;
}

export interface PartSize {
  readonly ops: number;
  /** Target size: a part ends with the op that reaches this number of characters. */
  readonly chars: number;
}

/**
 * Splits a changeset at op boundaries, buffering at most one part and one chunk. Invalid text is
 * passed through for the part's parser to report.
 */
export async function* splitChangeset(
  chunks: AsyncIterable<string>,
  size: PartSize,
): AsyncGenerator<ChangesetPart, undefined> {
  let start = "";
  let cutter: Cutter | undefined;
  for await (const chunk of chunks) {
    start += cutter === undefined ? chunk : "";
    cutter ??= createCutter(start, size);
    if (cutter === undefined) continue;
    yield* cutter.take(start === "" ? chunk : removeByteOrderMark(start));
    start = "";
  }
  cutter ??= new Cutter(new LineScanner(), size);
  yield* cutter.take(removeByteOrderMark(start));
  yield* cutter.end();
}

function removeByteOrderMark(start: string): string {
  return start.replace(/^\uFEFF/, "");
}

function createCutter(start: string, size: PartSize): Cutter | undefined {
  const first = /[^\s\uFEFF]/.exec(start)?.[0];
  if (first === undefined) return undefined;
  if (first === "[" || first === "{") return new Cutter(new JsonScanner(first === "["), size);
  return new Cutter(new LineScanner(), size);
}

type OpBoundary = "begins" | "ends" | undefined;

interface Cut {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isEmpty: boolean;
}

interface Scanner {
  next(char: string): OpBoundary;
  frame(text: string, cut: Cut): string;
}

/** Compact form: an op ends with its line; quoted text may span lines. */
class LineScanner implements Scanner {
  #state: "between" | "comment" | "op" | "escaped" | "single" | "double" | "double escaped" =
    "between";

  next(char: string): OpBoundary {
    switch (this.#state) {
      case "between":
        if (char === "#") this.#state = "comment";
        else if (!WHITESPACE.has(char)) return this.#begin(char);
        return undefined;
      case "comment":
        if (char === "\n") this.#state = "between";
        return undefined;
      case "single":
        if (char === "'") this.#state = "op";
        return undefined;
      case "double":
        if (char === '"') this.#state = "op";
        else if (char === "\\") this.#state = "double escaped";
        return undefined;
      case "double escaped":
        this.#state = "double";
        return undefined;
      default:
        return this.#inOp(char);
    }
  }

  frame(text: string): string {
    return text;
  }

  #begin(char: string): OpBoundary {
    this.#state = "op";
    this.#inOp(char);
    return "begins";
  }

  #inOp(char: string): OpBoundary {
    const isEscaped = this.#state === "escaped";
    this.#state = "op";
    if (char === "\n") {
      this.#state = "between";
      return "ends";
    }
    if (isEscaped) return undefined;
    if (char === '"') this.#state = "double";
    else if (char === "'") this.#state = "single";
    else if (char === "\\") this.#state = "escaped";
    return undefined;
  }
}

const WHITESPACE = new Set([" ", "\t", "\r", "\n"]);

/** JSON form: objects in an array, or comma-separated objects. */
class JsonScanner implements Scanner {
  readonly #isArray: boolean;
  #depth = 0;
  #quoted: "no" | "yes" | "escaped" = "no";
  #isNewItem = true;

  constructor(isArray: boolean) {
    this.#isArray = isArray;
    if (!isArray) this.#depth = 1;
  }

  next(char: string): OpBoundary {
    if (this.#quoted !== "no") {
      if (this.#quoted === "escaped") this.#quoted = "yes";
      else if (char === "\\") this.#quoted = "escaped";
      else if (char === '"') this.#quoted = "no";
      return undefined;
    }
    if (this.#depth === 1 && char === ",") {
      this.#isNewItem = true;
      return "ends";
    }
    const begins =
      this.#depth === 1 && this.#isNewItem && !/[\s\]]/.test(char) ? "begins" : undefined;
    if (begins !== undefined) this.#isNewItem = false;
    if (char === '"') this.#quoted = "yes";
    else if (char === "[" || char === "{") this.#depth += 1;
    else if (char === "]" || char === "}") this.#depth -= 1;
    return begins;
  }

  /** Removes the comma at the cut. A trailing comma remains and is reported as an error. */
  frame(text: string, { isFirst, isLast, isEmpty }: Cut): string {
    const items = isLast ? text : text.slice(0, -1);
    const opened = this.#isArray && isFirst ? items : `[${isEmpty && !isFirst ? "," : ""}${items}`;
    return this.#isArray && isLast ? opened : `${opened}]`;
  }
}

class Cutter {
  readonly #scanner: Scanner;
  readonly #size: PartSize;
  #text = "";
  #ops = 0;
  #lines = 0;
  #firstOp = 0;
  #firstLine = 1;

  constructor(scanner: Scanner, size: PartSize) {
    this.#scanner = scanner;
    this.#size = size;
  }

  *take(chunk: string): Generator<ChangesetPart, undefined> {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const char = chunk.charAt(at);
      const state = this.#scanner.next(char);
      if (char === "\n") this.#lines += 1;
      if (state === "begins") this.#ops += 1;
      if (state !== "ends") continue;
      const chars = this.#text.length + at + 1 - from;
      if (this.#ops < this.#size.ops && chars < this.#size.chars) continue;
      this.#text += chunk.slice(from, at + 1);
      from = at + 1;
      yield this.#cut(false);
    }
    this.#text += chunk.slice(from);
  }

  *end(): Generator<ChangesetPart, undefined> {
    if (this.#ops > 0 || this.#text.trim() !== "") yield this.#cut(true);
  }

  #cut(isLast: boolean): ChangesetPart {
    const cut = { isFirst: this.#firstOp === 0, isLast, isEmpty: this.#ops === 0 };
    const part = {
      text: this.#scanner.frame(this.#text, cut),
      ops: this.#ops,
      firstOp: this.#firstOp,
      firstLine: this.#firstLine,
    };
    this.#firstOp += this.#ops;
    this.#firstLine += this.#lines;
    this.#text = "";
    this.#ops = 0;
    this.#lines = 0;
    return part;
  }
}
