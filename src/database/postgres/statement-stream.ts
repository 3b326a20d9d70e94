import { createHash } from "node:crypto";
import type { ClientBase, QueryResult } from "pg";
import { parserOf, toParameter } from "./postgres-values.ts";

export type Row = unknown[];
export type StatementResult = QueryResult<Row>;

/** A text that is sent often is parsed once by each connection; there are more texts than that. */
const MAX_KEPT_STATEMENTS = 400;
const RETURNS_TO_SAVEPOINT = /^\s*rollback to\b/i;
/** Rows of a long write are not to pile up in memory before the server has taken them. */
const MAX_UNANSWERED = 64;

/**
 * The statements of a connection, which one transaction at a time has to itself. They are sent as
 * they come and done in that order, so that what nobody waits for costs no round trip: the way to
 * a server is longer than most statements. After one that fails the server refuses all others up to
 * the end of the transaction, or of the savepoint.
 */
export class StatementStream {
  readonly #client: ClientBase;
  readonly #isNamed: boolean;
  readonly #names = new Map<string, string>();
  #unanswered = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** Without names no statement outlives its transaction, as poolers want it. */
  constructor(client: ClientBase, { named }: { readonly named: boolean }) {
    this.#client = client;
    this.#isNamed = named;
  }

  /** Sends it and waits for the rows. Throws why the first statement failed that did. */
  async ask(text: string, params: readonly unknown[] = []): Promise<StatementResult> {
    try {
      const result = await this.#send(text, params);
      if (RETURNS_TO_SAVEPOINT.test(text)) this.#failure = undefined;
      return result;
    } catch (error) {
      throw this.#failure === undefined ? error : this.#failure.error;
    }
  }

  /** Sends what nobody needs an answer to. Whether it went well, the next answer tells. */
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

  /** Waits until all is answered. Throws why the first statement failed that did. */
  async settle(): Promise<void> {
    await Promise.all(this.#unanswered);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Forgets what went wrong in a transaction that is over. */
  beginAnew(): void {
    this.#unanswered = new Set();
    this.#failure = undefined;
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
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX_KEPT_STATEMENTS) return known;
    const name = `cairn_${createHash("sha256").update(text).digest("base64url")}`.slice(0, 40);
    this.#names.set(text, name);
    return name;
  }
}
