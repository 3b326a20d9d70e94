import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { DocumentLanguage } from "./script-document.ts";

const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true };

/**
 * JSON with comments and trailing commas. The parser's own edits would reformat neighbors and move
 * comments; these change nothing else.
 */
export const jsonDocument: DocumentLanguage = {
  title: "JSON",
  parse(text) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, PARSE_OPTIONS);
    const [error] = errors;
    if (error === undefined) return value;
    const line = text.slice(0, error.offset).split("\n").length;
    throw new Error(`line ${line}: ${printParseErrorCode(error.error)}`);
  },
  apply(text, { path, value }) {
    const base = text.trim() === "" ? "{}\n" : text;
    const root = parseTree(base, [], PARSE_OPTIONS);
    if (root === undefined) return base;
    const node = findNodeAtLocation(root, [...path]);
    if (value === undefined) return node === undefined ? base : removeProperty(base, node);
    if (node !== undefined) return replaceRange(base, node, printValue(value, base, path.length));
    return insertProperty(base, { root, path, value });
  },
};

interface Insertion {
  readonly root: Node;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Inserts a value as the last member of the deepest existing part of the path. */
function insertProperty(text: string, { root, path, value }: Insertion): string {
  let depth = path.length - 1;
  while (depth > 0 && findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const parent = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  if (parent === undefined) return text;
  const nested = path
    .slice(depth + 1)
    .reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  if (parent.type !== "object" && parent.type !== "array") {
    return replaceRange(text, parent, printValue({ [String(path[depth])]: nested }, text, depth));
  }
  const printed = printValue(nested, text, depth + 1);
  const member = parent.type === "array" ? printed : `${JSON.stringify(path[depth])}: ${printed}`;
  const { eol, indent } = detectStyle(text);
  const line = `${eol}${indent.repeat(depth + 1)}${member}`;
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const inside = text.slice(parent.offset + 1, endOffset(parent) - 1);
    const content = `${inside.trimEnd()}${line}${eol}${indent.repeat(depth)}`;
    return splice(text, { from: parent.offset + 1, to: endOffset(parent) - 1, by: content });
  }
  // A comment after the last member stays on its line.
  const tail = /^([ \t]*,?)[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(
    text.slice(endOffset(last)),
  );
  const hasComma = tail?.[1]?.includes(",") === true;
  const at = endOffset(last) + (tail?.[0].length ?? 0);
  const inserted = splice(text, { from: at, to: at, by: hasComma ? `${line},` : line });
  return hasComma
    ? inserted
    : splice(inserted, { from: endOffset(last), to: endOffset(last), by: "," });
}

/** Removes a member with its leading whitespace and one comma. */
function removeProperty(text: string, node: Node): string {
  const member = node.parent?.type === "property" ? node.parent : node;
  const siblings = member.parent?.children ?? [];
  const index = siblings.indexOf(member);
  const previous = siblings[index - 1];
  const end = siblings[index + 1]?.offset ?? endOffset(member.parent ?? member);
  const from = text.slice(0, member.offset).trimEnd().length;
  const comma = findComma(text, endOffset(member), end);
  let rest = splice(text, {
    from,
    to: comma === undefined ? endOffset(member) : comma + 1,
    by: "",
  });
  if (comma === undefined && previous !== undefined) {
    const before = findComma(text, endOffset(previous), member.offset);
    if (before !== undefined) rest = splice(rest, { from: before, to: before + 1, by: "" });
  }
  return siblings.length > 1 ? rest : withoutBlankInside(rest, from);
}

/** `{\n}` → `{}` after removing the only member. */
function withoutBlankInside(text: string, at: number): string {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const isBlank = /[{[]$/.test(before) && /^[}\]]/.test(after);
  return isBlank ? before + after : text;
}

function replaceRange(text: string, node: Node, by: string): string {
  return splice(text, { from: node.offset, to: endOffset(node), by });
}

function splice(text: string, { from, to, by }: { from: number; to: number; by: string }): string {
  return text.slice(0, from) + by + text.slice(to);
}

function endOffset(node: Node): number {
  return node.offset + node.length;
}

/** Returns the offset of the first comma outside comments. */
function findComma(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const at = from + scanner.getTokenOffset();
    if (text[at] === ",") return at;
  }
  return undefined;
}

function printValue(value: unknown, text: string, depth: number): string {
  const { eol, indent } = detectStyle(text);
  const lines = JSON.stringify(value, null, indent).split("\n");
  return lines.join(eol + indent.repeat(depth));
}

/** Detects line endings and indentation, so that additions match. */
function detectStyle(text: string) {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ",
  };
}
