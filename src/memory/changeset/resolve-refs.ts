import { invalidInput } from "../../shared/errors.ts";
import { nearestName } from "../../shared/nearest.ts";
import type { ChangesetForm, RequestedRef } from "./changeset-form.ts";
import { mapIds } from "./changeset-form.ts";
import { shorten } from "./excerpt.ts";
import type { ParsedOp } from "./parsed-op.ts";
import { type ChangesetIssue, malformedIssue } from "./parsed-op.ts";

export interface CreatedIds {
  readonly episode?: string;
  readonly fact?: string;
  /** Id of a concept, conflict or topic. */
  readonly other?: string;
}

/** Replaces each `$name` by its id, right before the op runs. Throws invalid_input. */
export function resolveRefs(
  op: ParsedOp,
  form: ChangesetForm,
  created: ReadonlyMap<string, CreatedIds>,
): Record<string, unknown> {
  return mapIds(op.args, form, (ref, requested, field) => {
    const ids = created.get(ref.slice(1));
    if (ids === undefined) {
      throw invalidInput(`${field}: no op created ${shorten(ref)}.`);
    }
    const id = pickId(ids, requested);
    if (id === undefined) {
      throw invalidInput(`${field} needs a fact, and ${ref} is not one.`);
    }
    return id;
  });
}

function pickId(ids: CreatedIds, requested: RequestedRef): string | undefined {
  if (requested === "fact") return ids.fact;
  return requested === "claim" ? (ids.fact ?? ids.episode) : (ids.episode ?? ids.other ?? ids.fact);
}

export function checkRefs(
  ops: readonly ParsedOp[],
  forms: ReadonlyMap<string, ChangesetForm>,
  before: ReadonlySet<string>,
): ChangesetIssue[] {
  const names = { declared: collectDeclarations(ops), before };
  return ops.flatMap((op) => {
    const position = { op_index: op.opIndex, line: op.line, op: op.op };
    const problems = [
      ...duplicateIssue(op, names),
      ...unresolvableIssue(op, forms.get(op.op), names),
    ];
    return problems.map((message) => malformedIssue(position, message));
  });
}

/** Maps each name to the first op that declares it. */
function collectDeclarations(ops: readonly ParsedOp[]): Map<string, ParsedOp> {
  const declared = new Map<string, ParsedOp>();
  for (const op of ops) {
    if (op.as !== undefined && !declared.has(op.as)) declared.set(op.as, op);
  }
  return declared;
}

interface KnownNames {
  readonly declared: ReadonlyMap<string, ParsedOp>;
  readonly before: ReadonlySet<string>;
}

function duplicateIssue(op: ParsedOp, { declared, before }: KnownNames): string[] {
  if (op.as !== undefined && before.has(op.as)) {
    return [`as=${op.as} is already declared by an earlier op. Choose another name.`];
  }
  const first = op.as === undefined ? undefined : declared.get(op.as);
  if (first === undefined || first === op) return [];
  return [`as=${op.as} is already declared on line ${first.line}. Choose another name.`];
}

function unresolvableIssue(
  op: ParsedOp,
  form: ChangesetForm | undefined,
  { declared, before }: KnownNames,
): string[] {
  const problems: string[] = [];
  if (form === undefined) return problems;
  mapIds(op.args, form, (ref, _wanted, field) => {
    const name = ref.slice(1);
    const target = declared.get(name);
    if (before.has(name)) return ref;
    if (target === undefined) {
      const shortName = shorten(name);
      problems.push(
        `${field}: $${shortName} is not declared; an earlier op must say as=${shortName}.${suggestName(name, declared)}`,
      );
    } else if (target.opIndex === op.opIndex) {
      problems.push(`${field}: ${ref} is the result of this op and cannot be used in it.`);
    } else if (target.opIndex > op.opIndex) {
      problems.push(
        `${field}: ${ref} is declared later, on line ${target.line}. Move that op before this one.`,
      );
    }
    return ref;
  });
  return problems;
}

const MAX_COMPARED = 200;

function suggestName(name: string, declared: ReadonlyMap<string, ParsedOp>): string {
  if (declared.size > MAX_COMPARED) return "";
  const nearby = nearestName(name, [...declared.keys()]);
  return nearby === undefined ? "" : ` Did you mean "$${nearby}"?`;
}
