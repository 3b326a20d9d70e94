import { CairnError } from "../../shared/errors.ts";
import type { Claims } from "./claims.ts";
import type { People, Person } from "./people.ts";

export interface ArrivalRules {
  /** Only people that the directory told of come in. */
  readonly onlyProvisioned: boolean;
}

/**
 * The person of an account that the provider vouches for; made at the first log-in. An account is
 * known by issuer and subject, and takes a name once: who comes later with the same name is
 * somebody else. Throws forbidden and conflict.
 */
export async function arrive(
  people: People,
  claims: Claims,
  { onlyProvisioned }: ArrivalRules,
): Promise<Person> {
  const known = (await people.ofSubject(claims.subject)) ?? (await awaited(people, claims));
  if (known === undefined) {
    if (onlyProvisioned) {
      throw new CairnError(
        "forbidden",
        "The directory of the company has not told cairn of you: ask who looks after it to assign you.",
      );
    }
    return people.add({
      user_name: claims.userName,
      subject: claims.subject,
      claimed_groups: [...(claims.groups ?? [])],
      emails: claims.email === undefined ? [] : [claims.email],
      ...(claims.displayName !== undefined && { display_name: claims.displayName }),
    });
  }
  requireActive(known);
  return isAsTold(known, claims)
    ? known
    : people.change(known.id, (before) => told(before, claims));
}

export function requireActive({ active, name }: Person): void {
  if (active) return;
  throw new CairnError("forbidden", `${name} has left: the directory of the company says so.`);
}

/** Whom the directory told of before their first log-in. */
async function awaited(people: People, claims: Claims): Promise<Person | undefined> {
  const named = await people.withName(claims.userName);
  if (named === undefined || !named.provisioned || named.subject !== undefined) return undefined;
  const { external_id: known } = named;
  const isSameName = named.user_name.toLowerCase() === claims.userName.toLowerCase();
  return isSameName || known === claims.accountId ? named : undefined;
}

function told(before: Person, { subject, groups, displayName }: Claims): Person {
  return {
    ...before,
    subject,
    claimed_groups: [...(groups ?? [])],
    ...(displayName !== undefined && { display_name: before.display_name ?? displayName }),
  };
}

function isAsTold(person: Person, { subject, groups = [] }: Claims): boolean {
  return (
    person.subject === subject &&
    JSON.stringify(person.claimed_groups) === JSON.stringify(groups ?? [])
  );
}
