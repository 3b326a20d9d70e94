import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { findPostgresCode } from "./postgres-error.ts";

/** Unassigned in Unicode, so it does not occur in text. */
const ESCAPE_CHARACTER = "\u{10FFFF}";
const NUL_CHARACTER = "\0";

/** Escapes NUL, which SQLite stores and PostgreSQL does not. */
export function toStoredText(text: string): string {
  if (!text.includes(NUL_CHARACTER) && !text.includes(ESCAPE_CHARACTER)) return text;
  return text
    .replaceAll(ESCAPE_CHARACTER, `${ESCAPE_CHARACTER}1`)
    .replaceAll(NUL_CHARACTER, `${ESCAPE_CHARACTER}0`);
}

export function fromStoredText(stored: string): string {
  if (!stored.includes(ESCAPE_CHARACTER)) return stored;
  return stored
    .replaceAll(`${ESCAPE_CHARACTER}0`, NUL_CHARACTER)
    .replaceAll(`${ESCAPE_CHARACTER}1`, ESCAPE_CHARACTER);
}

const BOOLEAN_OID = 16;
const BYTEA_OID = 17;
const JSON_OID = 114;
const NUMBER_OIDS: readonly number[] = [20, 21, 23, 26, 700, 701, 1700];

function chooseParser(type: number): (text: string) => unknown {
  if (NUMBER_OIDS.includes(type)) return Number;
  if (type === BOOLEAN_OID) return (text) => (text === "t" ? 1 : 0);
  if (type === JSON_OID) return (text) => JSON.parse(text) as unknown;
  if (type === BYTEA_OID) return (text) => Buffer.from(text.slice(2), "hex");
  return fromStoredText;
}

function toParameter(value: unknown): unknown {
  if (typeof value === "string") return toStoredText(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  return Array.isArray(value) ? value.map(toParameter) : value;
}

export type Row = unknown[];
export type StatementResult = QueryResult<Row>;

const MAX_PREPARED_STATEMENTS = 400;
const FAILED_TRANSACTION_CODE = "25P02";
const ROLLBACK_TO_SAVEPOINT = /^\s*rollback to\b/i;
/** Bounds the memory of rows sent ahead by a long write. */
const MAX_UNANSWERED = 64;

/**
 * Pipelined statements of a connection that is reserved for one transaction at a time. They are
 * sent immediately and run in order, so a statement whose result is not needed costs no round trip.
 * After a failure, the server rejects all others up to the end of the transaction or savepoint.
 */
export class StatementStream {
  readonly #client: ClientBase;
  readonly #isNamed: boolean;
  readonly #names = new Map<string, Map<string, string>>();
  #retained = 0;
  #database = "";
  #unanswered = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  /** Error of the first failed statement that was awaited. */
  #cause: { readonly error: unknown } | undefined;

  /** Unnamed prepared statements do not outlive the transaction, as poolers require. */
  constructor(client: ClientBase, { named }: { readonly named: boolean }) {
    this.#client = client;
    this.#isNamed = named;
  }

  enter(text: string): Promise<StatementResult> {
    return this.#send(text, []);
  }

  /** Sends a statement and awaits its rows. Throws the error of the first failed statement. */
  async ask(text: string, params: readonly unknown[] = []): Promise<StatementResult> {
    try {
      const result = await this.#send(text, params);
      if (ROLLBACK_TO_SAVEPOINT.test(text)) {
        this.#failure = undefined;
        this.#cause = undefined;
      }
      return result;
    } catch (error) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (findPostgresCode(error) === FAILED_TRANSACTION_CODE) throw this.#cause?.error ?? error;
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

  get areAnswered(): boolean {
    return this.#unanswered.size === 0 && this.#failure === undefined;
  }

  /** Waits for all statements. Throws the error of the first failed one. */
  async settle(): Promise<void> {
    await Promise.all(this.#unanswered);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Resets the stream after a transaction, for another one in this database. Statement names
   * include the database, since PostgreSQL replans a prepared statement after a schema switch.
   */
  reset(database: string): void {
    this.#database = database;
    this.#unanswered = new Set();
    this.#failure = undefined;
    this.#cause = undefined;
  }

  #send(text: string, params: readonly unknown[]): Promise<StatementResult> {
    return this.#client.query<Row>({
      text,
      name: this.#getName(text),
      values: params.map(toParameter),
      rowMode: "array" as const,
      types: { getTypeParser: chooseParser },
    });
  }

  #getName(text: string): string | undefined {
    if (!this.#isNamed) return undefined;
    const names = this.#names.get(this.#database) ?? new Map<string, string>();
    const known = names.get(text);
    if (known !== undefined || this.#retained >= MAX_PREPARED_STATEMENTS) return known;
    const hash = createHash("sha256").update(JSON.stringify([this.#database, text]));
    const name = `cairn_${hash.digest("base64url")}`.slice(0, 40);
    names.set(text, name);
    this.#names.set(this.#database, names);
    this.#retained += 1;
    return name;
  }
}
