/** Acknowledged state of a writer, up to the moment when the server was killed. */
export interface AcknowledgedWrites {
  /** Contents that must be present. */
  readonly kept: Set<string>;
  /** Contents of deleted items, and of purged ones. */
  readonly deleted: Set<string>;
  readonly purged: Set<string>;
  /** Names of changesets that were undone. */
  readonly undone: Set<string>;
}

export const createAcknowledgedWrites = (): AcknowledgedWrites => ({
  kept: new Set(),
  deleted: new Set(),
  purged: new Set(),
  undone: new Set(),
});

interface Written {
  readonly content: string;
  readonly id: string;
}

/** A client that writes, and deletes, purges and undoes its own writes. */
export class MixedWriter {
  readonly #url: string;
  readonly #name: string;
  readonly #group: number;
  readonly #promised: AcknowledgedWrites;
  readonly #items: Written[] = [];
  readonly #groups: Written[] = [];
  #isGone = false;

  constructor(
    url: string,
    name: string,
    { group, promised }: { group: number; promised: AcknowledgedWrites },
  ) {
    this.#url = url;
    this.#name = name;
    this.#group = group;
    this.#promised = promised;
  }

  /** Writes until the server is gone or `isOver` returns true. */
  async writeUntil(isOver: () => boolean): Promise<void> {
    const steps = [
      (n: number) => this.#remember(n, "observation"),
      () => this.#delete(),
      (n: number) => this.#apply(n),
      () => this.#undo(),
      (n: number) => this.#remember(n, "fact"),
      (n: number) => this.#remember(n, "decision"),
      () => this.#purge(),
      (n: number) => this.#apply(n),
    ];
    for (let n = 0; !isOver() && !this.#isGone; n += 1) await steps[n % steps.length]?.(n);
  }

  /** The final letter ensures that no content is a prefix of another. */
  #nameOf(n: number): string {
    return `${this.#name}n${n}x`;
  }

  async #remember(n: number, type: string): Promise<void> {
    const content = this.#nameOf(n);
    const answer = await this.#send("POST", "/episodes", { content, episode_type: type });
    if (answer === undefined) return;
    this.#promised.kept.add(content);
    this.#items.push({ content, id: answer.id });
  }

  async #apply(n: number): Promise<void> {
    const name = this.#nameOf(n);
    const lines = Array.from(
      { length: this.#group },
      (_, part) => `remember "${name} group ${part}"`,
    );
    const answer = await this.#send("POST", "/apply", { changeset: lines.join("\n") });
    if (answer === undefined) return;
    this.#promised.kept.add(`${name} group 0`);
    this.#groups.push({ content: name, id: answer.change });
  }

  async #delete(): Promise<void> {
    const item = this.#items.shift();
    if (item === undefined) return;
    // Without a response the item may be present or not.
    this.#promised.kept.delete(item.content);
    const answer = await this.#send("POST", "/delete", { id: item.id });
    if (answer !== undefined) this.#promised.deleted.add(item.content);
  }

  async #undo(): Promise<void> {
    const group = this.#groups.shift();
    if (group === undefined) return;
    this.#promised.kept.delete(`${group.content} group 0`);
    const answer = await this.#send("POST", "/undo", { change: group.id });
    if (answer !== undefined) this.#promised.undone.add(group.content);
  }

  async #purge(): Promise<void> {
    const item = this.#items.shift();
    if (item === undefined) return;
    this.#promised.kept.delete(item.content);
    const answer = await this.#send("POST", "/purge", { ids: item.id });
    if (answer !== undefined) this.#promised.purged.add(item.content);
  }

  async #send(
    method: string,
    path: string,
    body: object,
  ): Promise<{ id: string; change: string } | undefined> {
    const answer = await fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    // The body must be read: an unread one occupies its connection, and the server limits these.
    const text = await answer?.text().catch(() => undefined);
    if (answer === undefined || text === undefined) this.#isGone = answer === undefined;
    if (answer?.ok !== true) return undefined;
    const change = answer.headers.get("cairn-change") ?? "";
    return { id: text === undefined ? "" : String(JSON.parse(text).id), change };
  }
}
