import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";

/** The longest time that PostgreSQL accepts, in milliseconds. */
const MAX_MS = 2_147_483_647;

const milliseconds = z.number().int().min(1).max(MAX_MS);

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
    pooled: z
      .boolean()
      .default(false)
      .describe(
        "PostgreSQL is reached through a pooler that gives each transaction another session, such as PgBouncer: nothing is kept in a session, no statement has a name. `?pgbouncer=true` in the address says the same.",
      ),
    connectTimeoutMs: milliseconds
      .default(10_000)
      .describe("Wait for a connection to PostgreSQL, be it a new one or a free one of the pool."),
    statementTimeoutMs: milliseconds
      .default(60_000)
      .describe(
        "After so long PostgreSQL ends a statement; migrations, imports and the making of indexes take what they need.",
      ),
    idleTransactionTimeoutMs: milliseconds
      .default(30_000)
      .describe(
        "After so long PostgreSQL ends a write whose process says nothing more, and others write on.",
      ),
    replicas: withMeta(z.array(z.string().min(1)), { secret: true })
      .default([])
      .describe(
        "Addresses of read replicas of `database`, from which `cairn serve` reads what they have replayed.",
      ),
    replicaWaitMs: z
      .number()
      .int()
      .min(0)
      .max(60_000)
      .default(100)
      .describe(
        "So long a read waits for a replica that is behind what it must see; then the primary answers. Milliseconds.",
      ),
  }),
  {
    // These settings belong to the address, which only the user may choose.
    poolSize: "trusted",
    pooled: "trusted",
    connectTimeoutMs: "trusted",
    statementTimeoutMs: "trusted",
    idleTransactionTimeoutMs: "trusted",
    replicas: "trusted",
    replicaWaitMs: "trusted",
  },
);

export type PostgresSettings = z.output<typeof postgresSettings>;
