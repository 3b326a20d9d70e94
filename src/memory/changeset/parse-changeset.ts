import type { Steps } from "../../shared/async.ts";
import { parseField } from "../../shared/parse-field.ts";
import type { ChangesetForm } from "./changeset-form.ts";
import { fieldOfKey } from "./changeset-form.ts";
import { excerpt } from "./excerpt.ts";
import { OpBuilder, parseJsonChangeset, unknownOpIssue } from "./parse-json.ts";
import type { ChangesetIssue } from "./parsed-op.ts";
import {
  CHANGESET_START,
  type ChangesetStart,
  malformedIssue,
  type ParsedChangeset,
  type ParsedOp,
} from "./parsed-op.ts";
import { checkRefs } from "./resolve-refs.ts";
import { type Token, type TokenizedOp, tokenize } from "./tokenize.ts";

/**
 * Parses a changeset: JSON if the first non-blank character is `[` or `{`, else the compact form.
 * `ops` excludes invalid ops; issues are in order. Never throws on invalid text. Yields after each
 * op.
 */
export function* parseChangeset(
  text: string,
  forms: ReadonlyMap<string, ChangesetForm>,
  start: ChangesetStart = CHANGESET_START,
): Steps<ParsedChangeset> {
  const first = text.trimStart().charAt(0);
  const parse = first === "[" || first === "{" ? parseJsonChangeset : parseCompact;
  const { ops, issues: syntax } = yield* parse(text, forms, start);
  yield;
  const issues = [...syntax, ...checkRefs(ops, forms, start.names)].sort(compareByOp);
  const faulty = new Set(issues.map((issue) => issue.op_index));
  return { ops: ops.filter((op) => !faulty.has(op.opIndex)), issues };
}

function compareByOp(a: ChangesetIssue, b: ChangesetIssue): number {
  return a.op_index - b.op_index;
}

export function* parseCompact(
  text: string,
  forms: ReadonlyMap<string, ChangesetForm>,
  start: ChangesetStart = CHANGESET_START,
): Steps<ParsedChangeset> {
  const ops: ParsedOp[] = [];
  const issues: ChangesetIssue[] = [];
  let opIndex = start.op;
  for (const tokenized of tokenize(text, start)) {
    yield;
    const builder = readOp(tokenized, opIndex, forms);
    opIndex += 1;
    if (builder instanceof OpBuilder) {
      ops.push(builder.build());
      issues.push(...builder.issues);
    } else {
      issues.push(builder);
    }
  }
  return { ops, issues };
}

function readOp(
  tokenized: TokenizedOp,
  opIndex: number,
  forms: ReadonlyMap<string, ChangesetForm>,
): OpBuilder | ChangesetIssue {
  if (tokenized.issue) return tokenized.issue;
  const [first, ...tokens] = tokenized.tokens;
  const op = first?.value ?? "";
  const position = { op_index: opIndex, line: tokenized.line, op };
  const form = forms.get(op);
  if (form === undefined) return malformedIssue(position, unknownOpIssue(op, forms));
  const builder = new OpBuilder(form, position);
  const words: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const key = resolveKey(token, form, index === tokens.length - 1);
    if (key === undefined) words.push(token);
    else {
      builder.setKey(key, (field) =>
        parseField(form.types?.[field] ?? "text", token.value.slice(key.length + 1), key),
      );
    }
  }
  assignWords(builder, words);
  return builder;
}

/** A quoted last word is text; an earlier one, `"title=Two words"`, is a key as in a shell. */
function resolveKey(token: Token, form: ChangesetForm, isLast: boolean): string | undefined {
  if (token.key !== undefined || isLast || !token.quoted) return token.key;
  const equals = token.value.indexOf("=");
  if (equals < 1) return undefined;
  const key = token.value.slice(0, equals);
  const isKnown = key === "as" || (fieldOfKey(form, key) !== undefined && !form.open);
  return isKnown ? key : undefined;
}

function assignWords(builder: OpBuilder, words: readonly Token[]): void {
  const { op, bare, text } = builder.form;
  const id = bare === undefined || builder.has(bare) ? undefined : takeLeadingId(words, text);
  if (bare !== undefined && id) builder.setField(bare, "the first word", () => id.value);
  const [content, ...extra] = id ? words.slice(1) : words;
  if (content === undefined) return;
  const surplus = id && !content.quoted ? content : extra[0];
  if (surplus) {
    builder.report(
      `Too many words without a key: ${excerpt(surplus.value)}. Put the text in quotes as one last word, and write everything else as key=value.`,
    );
  } else if (text === undefined) {
    builder.report(`${op} takes no text: ${excerpt(content.value)} needs a key in front.`);
  } else if (!content.quoted && content.value.startsWith("{")) {
    builder.report(`For JSON, write {"op": "${op}", …}. Put text that begins with { in quotes.`);
  } else {
    builder.setField(text, "the text", () => content.value);
  }
}

function takeLeadingId(words: readonly Token[], text: string | undefined): Token | undefined {
  const [first] = words;
  return first?.quoted && words.length === 1 && text !== undefined ? undefined : first;
}
