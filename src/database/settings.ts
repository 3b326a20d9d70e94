import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";

/** Connection to a PostgreSQL server; the names are those of the config file. */
export const postgresSettings = withTrust(
  z.strictObject({
    poolSize: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(10)
      .describe(
        "Connections of one process to a PostgreSQL server, for reading and writing; three more at most look up tokens and claim vectors to make.",
      ),
    replicas: withMeta(z.array(z.string().min(1)), { secret: true })
      .default([])
      .describe(
        "Addresses of read replicas of `database`, from which `cairn serve` reads what they have replayed.",
      ),
  }),
  {
    // These settings belong to the address, which only the user may choose.
    poolSize: "trusted",
    replicas: "trusted",
  },
);

export type PostgresSettings = z.output<typeof postgresSettings>;

/** Timeouts of a PostgreSQL server, in milliseconds. */
export interface PostgresTimeouts {
  /** Wait for a new connection or for a free one of the pool. */
  readonly connectTimeoutMs: number;
  /** The server ends a longer statement; migrations, imports and index builds have no limit. */
  readonly statementTimeoutMs: number;
  /** The server ends a write transaction whose process sends nothing for so long. */
  readonly idleTransactionTimeoutMs: number;
  /** Wait for a replica that lags behind; then the primary is read. */
  readonly replicaWaitMs: number;
}

export const POSTGRES_TIMEOUTS: PostgresTimeouts = {
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  idleTransactionTimeoutMs: 30_000,
  replicaWaitMs: 100,
};

export type PostgresOptions = PostgresSettings & PostgresTimeouts;
