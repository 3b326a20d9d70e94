import { z } from "zod";
import { ROLE_HOLDERS } from "../../../access/index.ts";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";

const text = z.string();
const count = z.number().int();
const getList = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).readonly();

export const named = z.object({ name: text });

const databaseCounts = z.object({
  episodes: count,
  concepts: count,
  facts: count,
  open_conflicts: count,
  /** `seq` of the last event; 0 before the first. */
  last_seq: count,
});

export const databaseList = z.object({
  databases: getList(
    z.object({
      name: text,
      size: count.describe("Size in bytes, without the write-ahead log."),
      modified_at: text,
      is_default: z.boolean(),
      counts: databaseCounts.nullable().describe("Null if the database cannot be read."),
    }),
  ),
  total: count,
  page: count,
  limit: count,
});

export const binnedDatabase = z.object({
  id: text.describe("What `restore` takes."),
  name: text.describe("Former name."),
  deleted_at: text,
});

export const bin = z.object({ databases: getList(binnedDatabase) });

export const diagnosis = z.object({
  ok: z.boolean(),
  checks: getList(z.object({ name: text, about: text, ok: z.boolean() })),
  findings: getList(
    z.object({
      check: text,
      problem: text,
      count,
      examples: getList(text),
      fixable: z.boolean(),
    }),
  ),
});

export const reindexed = z.object({
  made: count.describe("Items with a vector."),
  missing: count.describe("Items without a vector."),
});

export const imported = z.object({
  dry_run: z.boolean(),
  source: text,
  added: count,
  changed: count.describe("Episodes whose text changed in the source."),
  known: count.describe("Records of earlier imports."),
  skipped: count,
  skips: getList(z.object({ where: text, reason: text })),
  changes: getList(text).describe("Ids of its changes, oldest first; undo them in reverse order."),
  changeset: text
    .optional()
    .describe("For a dry run: what would be applied, up to the limit of one changeset."),
  left_out: count.optional().describe("Operations that the changeset leaves out."),
});

const token = z.object({
  name: text,
  scope: text.describe("Scope of the token."),
  created_at: text,
  databases: getList(text)
    .optional()
    .describe("Databases that the token can access; default: all."),
  expires_at: text.optional().describe("Expiry time."),
  requests_per_minute: count.optional().describe("The token's own limit; default: the server's."),
  rotated_at: text.optional().describe("Time of the last rotation."),
  used_at: text.optional().describe("Time of last use, accurate to five minutes."),
});

export const tokenList = z.object({ tokens: getList(token) });

export const newToken = token.extend({ token: text.describe("Shown this once.") });

export const roleHolder = z.object({
  kind: z.enum(ROLE_HOLDERS),
  name: text.describe("Empty for everyone."),
});

export const roleRecord = roleHolder.extend({
  roles: z
    .record(z.string(), z.enum(ACCESS_SCOPES))
    .readonly()
    .describe("Roles by database; `*` means all, `@own` the user's own."),
  changed_at: text,
});

export const roleList = z.object({ roles: getList(roleRecord) });
