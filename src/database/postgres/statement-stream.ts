import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { postgresCodeOf } from "./postgres-error.ts";

/** A character that no text uses, because it is not assigned in Unicode. */
const ESCAPE = "\u{10FFFF}";
const NUL = "\0";

/** Escapes NUL, the one character that SQLite stores and PostgreSQL does not, as two others. */
export function toStoredText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}

/** PostgreSQL's type numbers. */
const BOOLEAN = 16;
const BYTES = 17;
const JSON_TEXT = 114;
const NUMBERS: readonly number[] = [20, 21, 23, 26, 700, 701, 1700];

function parserOf(type: number): (text: string) => unknown {
  if (NUMBERS.includes(type)) return Number;
  if (type === BOOLEAN) return (text) => (text === "t" ? 1 : 0);
  if (type === JSON_TEXT) return (text) => JSON.parse(text) as unknown;
  if (type === BYTES) return (text) => Buffer.from(text.slice(2), "hex");
  return fromStoredText;
}

function toParameter(value: unknown): unknown {
  if (typeof value === "string") return toStoredText(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? value.map(toParameter) : value;
}

export type Row = unknown[];
export type StatementResult = QueryResult<Row>;

const MAX_KEPT_STATEMENTS = 400;
const IN_FAILED_TRANSACTION = "25P02";
const RETURNS_TO_SAVEPOINT = /^\s*rollback to\b/i;
/** Limits how many rows of a long write wait in memory for the server. */
const MAX_UNANSWERED = 64;

/**
 * The statements of a connection, which is reserved for one transaction at a time. They are sent at once and
 * run in order, so a statement whose answer nobody needs costs no round trip, which takes longer than most
 * statements. After one fails, the server refuses all others up to the end of the transaction or savepoint.
 */
export class StatementStream {
  readonly #client: ClientBase;
  readonly #isNamed: boolean;
  readonly #names = new Map<string, Map<string, string>>();
  #kept = 0;
  #database = "";
  #unanswered = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  /** Why the first statement that was waited for failed. */
  #cause: { readonly error: unknown } | undefined;

  /** Without names no prepared statement outlives its transaction, as poolers require. */
  constructor(client: ClientBase, { named }: { readonly named: boolean }) {
    this.#client = client;
    this.#isNamed = named;
  }

  enter(text: string): Promise<StatementResult> {
    return this.#send(text, []);
  }

  /** Sends a statement and waits for its rows. Throws the error of the first statement that failed. */
  async ask(text: string, params: readonly unknown[] = []): Promise<StatementResult> {
    try {
      const result = await this.#send(text, params);
      if (RETURNS_TO_SAVEPOINT.test(text)) {
        this.#failure = undefined;
        this.#cause = undefined;
      }
      return result;
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (postgresCodeOf(error) === IN_FAILED_TRANSACTION) throw this.#cause?.error ?? error;
      this.#cause ??= { error };
      throw error;
    }
  }

  async post(text: string, params: readonly unknown[]): Promise<void> {
    const answered = this.#send(text, params).then(
      () => undefined,
      (error: unknown) => {
        this.#failure ??= { error };
      },
    );
    this.#unanswered.add(answered);
    void answered.then(() => this.#unanswered.delete(answered));
    if (this.#unanswered.size >= MAX_UNANSWERED) await this.settle();
  }

  /** True if of no posted statement it is still to be learnt if it failed. */
  get areAnswered(): boolean {
    return this.#unanswered.size === 0 && this.#failure === undefined;
  }

  /** Waits until all statements are answered. Throws the error of the first one that failed. */
  async settle(): Promise<void> {
    await Promise.all(this.#unanswered);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Clears the error of a transaction that is over, for one in this database. PostgreSQL plans a kept statement
   * again where other tables have its names than before, so those of each database are kept apart.
   */
  beginAnew(database: string): void {
    this.#database = database;
    this.#unanswered = new Set();
    this.#failure = undefined;
    this.#cause = undefined;
  }

  #send(text: string, params: readonly unknown[]): Promise<StatementResult> {
    return this.#client.query<Row>({
      text,
      name: this.#nameOf(text),
      values: params.map(toParameter),
      rowMode: "array" as const,
      types: { getTypeParser: parserOf },
    });
  }

  #nameOf(text: string): string | undefined {
    if (!this.#isNamed) return undefined;
    const names = this.#names.get(this.#database) ?? new Map<string, string>();
    const known = names.get(text);
    if (known !== undefined || this.#kept >= MAX_KEPT_STATEMENTS) return known;
    const hash = createHash("sha256").update(JSON.stringify([this.#database, text]));
    const name = `cairn_${hash.digest("base64url")}`.slice(0, 40);
    names.set(text, name);
    this.#names.set(this.#database, names);
    this.#kept += 1;
    return name;
  }
}
