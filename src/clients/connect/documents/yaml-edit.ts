import { type Document, isCollection, isMap, isPair, isSeq, type Pair, stringify } from "yaml";
import type { Change } from "./script-document.ts";

interface NodeLocation {
  readonly text: string;
  readonly document: Document;
  readonly path: readonly (string | number)[];
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Changes only the lines of the value, since the library's printer moves comments and blank lines
 * of neighbors. Undefined if the value shares lines with others.
 */
export function editYaml(location: NodeLocation & Pick<Change, "value">): string | undefined {
  const { text, document, path, value } = location;
  const lines = locateLines(location);
  if (value === undefined) return lines && splice(text, lines, "");
  if (lines !== undefined) {
    const depth = columnAt(text, firstCharacter(text, lines.from));
    return splice(text, lines, printValue(location, { depth, from: path.length - 1 }));
  }
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const parent = document.getIn(path.slice(0, depth));
    if (parent === undefined && depth > 0) continue;
    if (!isCollection(parent) || parent.flow === true || parent.items.length === 0)
      return undefined;
    const last = locateLines({ ...location, path: [...path.slice(0, depth), lastKey(parent)] });
    if (last === undefined) return undefined;
    const column = columnAt(text, firstCharacter(text, last.from));
    const head = text.slice(0, last.to);
    const eol = head.endsWith("\n") ? "" : "\n";
    return `${head}${eol}${printValue(location, { depth: column, from: depth })}${text.slice(last.to)}`;
  }
  return undefined;
}

function lastKey(parent: { readonly items: readonly unknown[] }): string | number {
  const last = parent.items.at(-1);
  return isPair(last) ? keyName(last) : parent.items.length - 1;
}

function keyName({ key }: Pair): string {
  return String(key instanceof Object && "value" in key ? key.value : key);
}

/** Returns whole lines of a block member; undefined if it shares them with others. */
function locateLines({ text, document, path }: NodeLocation): LineRange | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  const name = path.at(-1);
  if ((!isMap(parent) && !isSeq(parent)) || parent.flow === true) return undefined;
  const member = isMap(parent)
    ? parent.items.find((pair) => keyName(pair) === name)
    : parent.items[Number(name)];
  if (member === undefined) return undefined;
  const node: unknown = isPair(member) ? member.key : member;
  const start = startOffset(node);
  const end = isPair(member)
    ? (endOffset(member.value) ?? endOffset(member.key))
    : endOffset(member);
  if (start === undefined || end === undefined) return undefined;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(from, start);
  if (!(isPair(member) ? /^ *$/ : /^ *- +$/).test(before)) return undefined;
  const isLineEnd = end > 0 && text[end - 1] === "\n";
  const next = isLineEnd ? end : text.indexOf("\n", end) + 1;
  return { from, to: next === 0 ? text.length : next };
}

function startOffset(node: unknown): number | undefined {
  return nodeRange(node)?.[0];
}

function endOffset(node: unknown): number | undefined {
  return nodeRange(node)?.[1];
}

function nodeRange(node: unknown): readonly number[] | undefined {
  if (!(node instanceof Object) || !("range" in node)) return undefined;
  return Array.isArray(node.range) ? node.range : undefined;
}

function firstCharacter(text: string, from: number): number {
  return from + (/^ */.exec(text.slice(from))?.[0].length ?? 0);
}

function columnAt(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

interface PrintOptions {
  readonly depth: number;
  readonly from: number;
}

function printValue(
  { path, value }: NodeLocation & Pick<Change, "value">,
  { depth, from }: PrintOptions,
): string {
  const nested = path
    .slice(from)
    .reduceRight<unknown>(
      (inner, name) => (typeof name === "number" ? [inner] : { [name]: inner }),
      value,
    );
  const lines = stringify(nested, { lineWidth: 0 }).split("\n").slice(0, -1);
  return lines.map((line) => (line === "" ? "\n" : `${" ".repeat(depth)}${line}\n`)).join("");
}

function splice(text: string, { from, to }: LineRange, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
