import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";
import { DATABASE_NAME } from "./input/database-name.ts";
import { DEFAULT_LIMITS } from "./input/limits.ts";
import { retentionSetting } from "./purge/retention.ts";
import { SECRET_RULES } from "./secrets/secret-rules.ts";

const EPISODE_TYPE_PATTERN = /^[a-z][a-z0-9_-]{0,63}$/;

export const memorySettings = withTrust(
  z.strictObject({
    db: z
      .string()
      .regex(DATABASE_NAME, "A database name is 1 to 64 letters, digits, `.`, `_` or `-`.")
      .default("auto")
      .describe(
        "Default database of requests. auto: the one in the nearest project config, else the git work tree's own, else default.",
      ),
    database: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe(
        "Address of a PostgreSQL server that holds the databases instead of dataDir: postgres://user:password@host:5432/name, with ?sslmode=verify-full&sslrootcert=FILE to encrypt the connection.",
      ),
    dataDir: z.string().min(1).optional().describe("Folder of the databases and transcripts."),
    layers: z
      .array(
        z
          .string()
          .regex(DATABASE_NAME, "A database name is 1 to 64 letters, digits, `.`, `_` or `-`."),
      )
      .default([])
      .describe(
        "Outer databases that recall reads in addition to the current one, nearest first: team, company. Never written to.",
      ),
    episodeTypes: z
      .array(
        z
          .string()
          .regex(
            EPISODE_TYPE_PATTERN,
            "An episode type is a lower-case letter, then a-z, 0-9, `_` or `-`.",
          ),
      )
      .default([])
      .describe("Custom episode types, in addition to the built-in ones."),
    maxChangesetOps: z
      .number()
      .int()
      .min(1)
      .default(DEFAULT_LIMITS.changesetOps)
      .describe("Maximum number of ops in one changeset."),
    secrets: z
      .enum(SECRET_RULES)
      .default("mask")
      .describe("Handling of keys, tokens and passwords in written text."),
    retention: retentionSetting,
    recallLog: z
      .enum(["on", "off"])
      .default("on")
      .describe("Stores each session's recalls in the database: query and ids, secrets masked."),
    session: z
      .string()
      .min(1)
      .optional()
      .describe("Default session of memories stored from the shell."),
  }),
  {
    db: "person",
    // Contains a password and determines the storage location.
    database: "trusted",
    dataDir: "trusted",
    layers: "trusted",
    episodeTypes: "anyone",
    maxChangesetOps: "anyone",
    secrets: (value, user) =>
      SECRET_RULE_ORDER.indexOf(value) >= SECRET_RULE_ORDER.indexOf(user ?? "mask"),
    retention: "trusted",
    recallLog: (value, user) => value === "off" || user !== "off",
    session: "anyone",
  },
);

/** In ascending order of strictness. */
const SECRET_RULE_ORDER: readonly unknown[] = ["allow", "mask", "refuse"];

export type MemorySettings = z.output<typeof memorySettings>;
