import { isObject } from "./filter.ts";
import { operationsOf } from "./patch.ts";

/** Ids of people who join a group and of those who leave it; nobody does both. */
export interface MemberChange {
  readonly join: readonly string[];
  readonly leave?: readonly string[];
}

/** `members[value eq "…"]` */
const ONE = /^(?:urn:[\w:.]+:)?members\[\s*value\s+eq\s+"([0-9a-zA-Z-]+)"\s*\]$/i;
const ALL = /^(?:urn:[\w:.]+:)?members$/i;

/** What a PATCH says of members alone, the last word of each counts; undefined: it says more. Throws ScimError. */
export function memberChange(body: unknown): Required<MemberChange> | undefined {
  const isIn = new Map<string, boolean>();
  for (const { op, path = "", value } of operationsOf(body)) {
    const one = ONE.exec(path)?.[1];
    const ids = one === undefined ? idsIn(ALL.test(path) ? value : undefined) : [one];
    const joins = op === "add" && one === undefined;
    const leaves = op === "remove" && (one === undefined || value === undefined);
    if (ids === undefined || !(joins || leaves)) return undefined;
    for (const id of ids) isIn.set(id, joins);
  }
  const ids = (wanted: boolean) => [...isIn].flatMap(([id, is]) => (is === wanted ? [id] : []));
  return { join: ids(true), leave: ids(false) };
}

function idsIn(value: unknown): string[] | undefined {
  const listed = Array.isArray(value) ? value : [value];
  const ids = listed.map((one) => (isObject(one) ? one.value : undefined));
  return ids.every((id) => typeof id === "string") ? ids : undefined;
}
