import { createHash } from "node:crypto";
import { z } from "zod";
import type { StoredRecords } from "../database/index.ts";
import {
  type AccessScope,
  type Caller,
  higherScope,
  lowerScope,
  MEMORY_SCOPES,
} from "../shared/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../shared/clock.ts";
import { invalidInput, notFound } from "../shared/errors.ts";

export const ROLE_HOLDERS = ["person", "group", "everyone"] as const;

export type RoleHolderKind = (typeof ROLE_HOLDERS)[number];

export interface RoleHolder {
  readonly kind: RoleHolderKind;
  readonly name: string;
}

export const ANY_DATABASE = "*";
export const OWN_DATABASE = "@own";

export interface RoleRecord extends RoleHolder {
  /** Role by database; `*`: all, `@own`: the user's own. */
  readonly roles: Readonly<Record<string, AccessScope>>;
  readonly changed_at: string;
}

const ROLE_KIND = "role";

/** Strict: an unknown field from a newer version grants nothing. */
const roleRecord = z.strictObject({
  kind: z.enum(ROLE_HOLDERS),
  name: z.string(),
  roles: z.record(z.string(), z.enum(MEMORY_SCOPES)),
  changed_at: z.string(),
});

const DATABASE_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_NAME_LENGTH = 200;

export class Roles {
  readonly #stored: StoredRecords;
  readonly #clock: Clock;

  constructor(records: StoredRecords, clock: Clock = systemClock) {
    this.#stored = records;
    this.#clock = clock;
  }

  async list(): Promise<RoleRecord[]> {
    const records = await this.#stored.list(ROLE_KIND);
    const known = records.flatMap(({ value }) => roleRecord.safeParse(value).data ?? []);
    return known.sort((a, b) => formatHolderKey(a).localeCompare(formatHolderKey(b)));
  }

  /** Replaces existing roles. Throws invalid_input. */
  async grant(
    holder: RoleHolder,
    role: AccessScope,
    databases: readonly string[] = [ANY_DATABASE],
  ): Promise<RoleRecord> {
    requireHolder(holder);
    requireDatabases(databases);
    if (role === "metrics" && databases.some((name) => name !== ANY_DATABASE)) {
      throw invalidInput("in: not allowed for this role, because /metrics covers all databases");
    }
    return this.#change(holder, (roles) => ({
      ...roles,
      ...Object.fromEntries(databases.map((name) => [name, role])),
    }));
  }

  async revoke(holder: RoleHolder, databases?: readonly string[]): Promise<void> {
    requireHolder(holder);
    if (databases !== undefined) requireDatabases(databases);
    await this.#change(holder, (roles) => {
      const revoked = databases ?? Object.keys(roles);
      const missing = revoked.find((name) => !Object.hasOwn(roles, name));
      if (revoked.length === 0 || missing !== undefined) {
        throw notFound(
          `${describeHolder(holder)} has no such role. \`cairn access list\` lists the roles.`,
        );
      }
      return Object.fromEntries(Object.entries(roles).filter(([name]) => !revoked.includes(name)));
    });
  }

  async #change(
    holder: RoleHolder,
    change: (roles: RoleRecord["roles"]) => RoleRecord["roles"],
  ): Promise<RoleRecord> {
    const grant = { ...holder, changed_at: toTimestamp(this.#clock.now()) };
    let after: RoleRecord = { ...grant, roles: {} };
    await this.#stored.change(ROLE_KIND, recordId(holder), (before) => {
      const known = before === undefined ? undefined : roleRecord.parse(before);
      const { name } = known ?? holder;
      after = { ...grant, name, roles: change(known?.roles ?? {}) };
      return Object.keys(after.roles).length === 0 ? undefined : after;
    });
    return after;
  }
}

/** Holders of one kind never differ by case only. */
export function isHolder(record: RoleHolder, { kind, name }: RoleHolder): boolean {
  return record.kind === kind && record.name.toLowerCase() === name.toLowerCase();
}

function recordId(holder: RoleHolder): string {
  return createHash("sha256").update(formatHolderKey(holder)).digest("hex");
}

function formatHolderKey({ kind, name }: RoleHolder): string {
  return `${kind}:${name.toLowerCase()}`;
}

function describeHolder({ kind, name }: RoleHolder): string {
  return kind === "everyone" ? "Everyone" : `The ${kind} ${name}`;
}

function requireHolder({ kind, name }: RoleHolder): void {
  if (kind === "everyone" ? name === "" : name !== "" && name.length <= MAX_NAME_LENGTH) return;
  throw invalidInput("Give exactly one of --person NAME, --group NAME or --everyone");
}

function requireDatabases(databases: readonly string[]): void {
  const bad = databases.find(
    (name) => name !== ANY_DATABASE && name !== OWN_DATABASE && !DATABASE_NAME_PATTERN.test(name),
  );
  if (databases.length > 0 && bad === undefined) return;
  throw invalidInput(
    `in: "${bad ?? ""}" is not a valid database name; ${OWN_DATABASE} is each user's own database`,
  );
}

export type Rights = Pick<Caller, "scope" | "databases" | "within">;

const NO_RIGHTS: Rights = { scope: "metrics", databases: [] };

/** Returns the highest role per database of a user and their groups. */
export function combineRights(
  records: readonly RoleRecord[],
  as: readonly RoleHolder[],
  ownDatabase?: string,
): Rights {
  const matching = records.filter((record) => as.some((holder) => isHolder(record, holder)));
  const roles = new Map<string, AccessScope>();
  for (const [name, role] of matching.flatMap((record) => Object.entries(record.roles))) {
    const database = name === OWN_DATABASE ? ownDatabase : name;
    if (database === undefined) continue;
    roles.set(database, higherScope(role, roles.get(database) ?? role));
  }
  return combineDatabases(roles);
}

function combineDatabases(roles: ReadonlyMap<string, AccessScope>): Rights {
  const everywhere = roles.get(ANY_DATABASE);
  const single = [...roles].filter(([name]) => name !== ANY_DATABASE);
  if (everywhere !== undefined && (everywhere !== "metrics" || single.length === 0)) {
    return { scope: everywhere, ...includesScope(single, everywhere) };
  }
  // A role in single databases is more than `metrics` in all; `/metrics` itself needs it in all.
  const [first, ...others] = single;
  if (first === undefined) return NO_RIGHTS;
  const least = others.reduce((scope, [, role]) => lowerScope(scope, role), first[1]);
  return {
    scope: least,
    databases: single.map(([name]) => name).sort(),
    ...includesScope(single, least),
  };
}

function includesScope(
  single: readonly (readonly [string, AccessScope])[],
  least: AccessScope,
): Pick<Rights, "within"> {
  const more = single
    .filter(([, role]) => higherScope(role, least) !== least)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return more.length === 0 ? {} : { within: Object.fromEntries(more) };
}

export function narrowDatabases(
  rights: Rights,
  {
    maxScope,
    databases,
  }: { readonly maxScope: AccessScope; readonly databases?: readonly string[] },
): Rights {
  const open = databases?.filter((name) => rights.databases?.includes(name) ?? true);
  const visible = Object.entries(rights.within ?? {}).filter(
    ([name]) => open?.includes(name) ?? true,
  );
  const scope = lowerScope(rights.scope, maxScope);
  const more = visible.map(([name, role]) => [name, lowerScope(role, maxScope)] as const);
  const names = open ?? rights.databases;
  return { scope, ...(names !== undefined && { databases: names }), ...includesScope(more, scope) };
}
