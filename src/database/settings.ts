import { z } from "zod";
import { withTrust } from "../shared/fields.ts";

export const postgresSettings = withTrust(
  z.strictObject({
    poolSize: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(10)
      .describe(
        "Connections of one process to a PostgreSQL server, for reading and writing; at most three more look up tokens and claim missing vectors.",
      ),
  }),
  {
    // Belongs to the address, which only the user may choose.
    poolSize: "trusted",
  },
);

export type PostgresSettings = z.output<typeof postgresSettings>;

export interface PostgresTimeouts {
  /** For a new connection or a free one of the pool. */
  readonly connectTimeoutMs: number;
  /** Server limit per statement; migrations, imports and index builds are unlimited. */
  readonly statementTimeoutMs: number;
  /** Server limit for an idle write transaction. */
  readonly idleTransactionTimeoutMs: number;
}

export const POSTGRES_TIMEOUTS: PostgresTimeouts = {
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  idleTransactionTimeoutMs: 30_000,
};

export type PostgresOptions = PostgresSettings & PostgresTimeouts;
