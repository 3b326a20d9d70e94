import { isCairnError } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { type ChangesetForm, fieldOfKey, knownKeys } from "./changeset-form.ts";
import { type ChangesetIssue, malformed, type OpPosition } from "./changeset-issue.ts";
import { excerpt, shorten } from "./excerpt.ts";
import type { ParsedOp } from "./parsed-op.ts";

/** Keys of one op. */
export const MAX_KEYS = 100;
/** Issues that one op reports; the rest are counted. */
const MAX_ISSUES = 20;

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export class OpBuilder {
  readonly #issues: ChangesetIssue[] = [];
  #left = 0;
  readonly form: ChangesetForm;
  readonly #position: OpPosition;
  readonly #args = new Map<string, unknown>();
  readonly #givenBy = new Map<string, string>();
  #as: string | undefined;

  constructor(form: ChangesetForm, position: OpPosition) {
    this.form = form;
    this.#position = position;
  }

  /** `read` gets the field that the key stands for; what it throws as CairnError is reported. */
  setKey(key: string, read: (field: string) => unknown): void {
    if (key === "as" && !this.form.nameless) {
      this.#name(read("as"));
      return;
    }
    const field = fieldOfKey(this.form, key);
    if (field === undefined) {
      if (this.#issues.length >= MAX_ISSUES) this.#left += 1;
      else
        this.report(
          `${this.form.op} has no key "${shorten(key)}".${didYouMean(key, knownKeys(this.form))}`,
        );
      return;
    }
    this.setField(field, key, () => read(field));
  }

  /** `source` is how the message calls the place that gave the value: a key, "the text". */
  setField(field: string, source: string, read: () => unknown): void {
    const earlier = this.#givenBy.get(field);
    if (earlier !== undefined) {
      this.report(repeated(field, earlier, source));
      return;
    }
    this.#givenBy.set(field, source);
    try {
      this.#args.set(field, read());
    } catch (error) {
      if (!isCairnError(error)) throw error;
      this.report(error.message);
    }
  }

  has(field: string): boolean {
    return this.#givenBy.has(field);
  }

  report(message: string): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push(malformed(this.#position, message));
    else this.#left += 1;
  }

  get issues(): readonly ChangesetIssue[] {
    if (this.#left === 0) return this.#issues;
    return [...this.#issues, malformed(this.#position, `And ${this.#left} more like these.`)];
  }

  build(): ParsedOp {
    const { op_index: opIndex, line, op } = this.#position;
    const parsed = { opIndex, line, op, args: Object.fromEntries(this.#args) };
    return this.#as === undefined ? parsed : { ...parsed, as: this.#as };
  }

  #name(value: unknown): void {
    if (this.#as !== undefined) this.report(repeated("as", "as", "as"));
    else if (typeof value === "string" && NAME.test(value)) this.#as = value;
    else {
      this.report(
        `as must be a name of letters, digits, "_" and "-" that starts with a letter or "_", without "$"; not ${excerpt(value)}.`,
      );
    }
  }
}

function repeated(field: string, earlier: string, later: string): string {
  if (earlier === later) return `"${shorten(later)}" is given twice. Keep one.`;
  return `${shorten(field)} is given twice, by ${shorten(earlier)} and by ${shorten(later)}. Keep one.`;
}

/** Message for an op that nothing answers to. */
export function unknownOp(op: string, forms: ReadonlyMap<string, ChangesetForm>): string {
  return `Unknown op ${excerpt(op)}.${didYouMean(op, [...forms.keys()])}`;
}
