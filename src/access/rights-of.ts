import { type AccessScope, type Caller, higherScope, lowerScope } from "../shared/caller.ts";
import {
  EVERY_DATABASE,
  isHolder,
  OWN_DATABASE,
  type RoleHolder,
  type RoleRecord,
} from "./roles.ts";

export type Rights = Pick<Caller, "scope" | "databases" | "within">;

export const NO_RIGHTS: Rights = { scope: "metrics", databases: [] };

/** The highest role counts in each database, whoever of `as` (a person, their groups) it was given to. */
export function rightsOf(
  records: readonly RoleRecord[],
  as: readonly RoleHolder[],
  ownDatabase?: string,
): Rights {
  const held = records.filter((record) => as.some((holder) => isHolder(record, holder)));
  const roles = new Map<string, AccessScope>();
  for (const [name, role] of held.flatMap((record) => Object.entries(record.roles))) {
    const database = name === OWN_DATABASE ? ownDatabase : name;
    if (database === undefined) continue;
    roles.set(database, higherScope(role, roles.get(database) ?? role));
  }
  return combined(roles);
}

function combined(roles: ReadonlyMap<string, AccessScope>): Rights {
  const everywhere = roles.get(EVERY_DATABASE);
  const single = [...roles].filter(([name]) => name !== EVERY_DATABASE);
  if (everywhere !== undefined && (everywhere !== "metrics" || single.length === 0)) {
    return { scope: everywhere, ...within(single, everywhere) };
  }
  // Whoever has a role in some databases watches those; `/metrics` tells of all.
  const [first, ...others] = single;
  if (first === undefined) return NO_RIGHTS;
  const least = others.reduce((scope, [, role]) => lowerScope(scope, role), first[1]);
  return { scope: least, databases: single.map(([name]) => name).sort(), ...within(single, least) };
}

function within(
  single: readonly (readonly [string, AccessScope])[],
  least: AccessScope,
): Pick<Rights, "within"> {
  const more = single
    .filter(([, role]) => higherScope(role, least) !== least)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return more.length === 0 ? {} : { within: Object.fromEntries(more) };
}

/** No more than `most` anywhere, and only in these databases. */
export function narrowed(
  rights: Rights,
  { most, databases }: { readonly most: AccessScope; readonly databases?: readonly string[] },
): Rights {
  const open = databases?.filter((name) => rights.databases?.includes(name) ?? true);
  const kept = Object.entries(rights.within ?? {}).filter(([name]) => open?.includes(name) ?? true);
  const scope = lowerScope(rights.scope, most);
  const more = kept.map(([name, role]) => [name, lowerScope(role, most)] as const);
  const names = open ?? rights.databases;
  return { scope, ...(names !== undefined && { databases: names }), ...within(more, scope) };
}
