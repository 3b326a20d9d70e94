import type { StatementListener } from "../database.ts";
import type { ReplicaState } from "../place-state.ts";
import type { PostgresSettings } from "../settings.ts";
import type { Tx } from "../tx.ts";
import { type PostgresAddress, parsePostgresAddress } from "./postgres-address.ts";
import { Replica, type ReplicaAnswer, type Wanted } from "./replica.ts";

/** The replicas of a server, which are asked in turn. */
export class Replicas {
  readonly #replicas: readonly Replica[];
  #last = 0;

  /** Throws invalid_input for a bad address. */
  constructor(primary: PostgresAddress, settings: PostgresSettings) {
    this.#replicas = settings.replicas.map((text) => {
      const address = parsePostgresAddress(text, "postgres.replicas");
      return new Replica({ ...address, schema: primary.schema }, settings);
    });
  }

  get areThere(): boolean {
    return this.#replicas.length > 0;
  }

  /** Undefined if the primary must be asked. Throws what `body` throws. */
  async read<T>(
    wanted: Wanted,
    body: (tx: Tx) => Promise<T>,
    onStatement?: StatementListener,
  ): Promise<ReplicaAnswer<T> | undefined> {
    this.#last += 1;
    const awake = this.#replicas.filter(({ isAwake }) => isAwake);
    const chosen = awake[this.#last % Math.max(awake.length, 1)];
    return chosen?.read(wanted, body, onStatement);
  }

  states(primaryPosition: string | undefined): Promise<ReplicaState[]> {
    return Promise.all(this.#replicas.map((replica) => replica.state(primaryPosition)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }
}
