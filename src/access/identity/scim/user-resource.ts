import { z } from "zod";
import type { Group } from "../groups.ts";
import type { NewPerson, Person } from "../people.ts";
import { ScimError } from "./scim-error.ts";

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

const text = z.string().max(500);
/** Some directories say `"False"`. */
const flag = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i)])
  .transform((value) => (typeof value === "boolean" ? value : value.toLowerCase() === "true"));

const user = z.object({
  userName: text.min(1),
  externalId: text.optional(),
  displayName: text.optional(),
  name: z
    .object({ givenName: text.optional(), familyName: text.optional(), formatted: text.optional() })
    .optional(),
  emails: z.array(z.object({ value: text.optional(), primary: flag.optional() })).optional(),
  active: flag.optional(),
});

/** A person as directories see them. */
export function userResource(person: Person, groups: readonly Group[], url: string) {
  const { id, given_name, family_name, display_name, external_id } = person;
  const theirs = groups.filter((group) => person.groups.includes(group.id));
  return {
    schemas: [USER],
    id,
    ...(external_id !== undefined && { externalId: external_id }),
    userName: person.user_name,
    ...((given_name ?? family_name) !== undefined && {
      name: {
        ...(given_name !== undefined && { givenName: given_name }),
        ...(family_name !== undefined && { familyName: family_name }),
      },
    }),
    ...(display_name !== undefined && { displayName: display_name }),
    emails: person.emails.map((value, index) => ({ value, type: "work", primary: index === 0 })),
    active: person.active,
    groups: theirs.map((group) => ({ value: group.id, display: group.name })),
    meta: {
      resourceType: "User",
      created: person.created_at,
      lastModified: person.changed_at,
      location: `${url}/scim/v2/Users/${id}`,
    },
  };
}

/** What a directory says of a person. Throws ScimError. */
export function personFrom(given: unknown): NewPerson {
  const parsed = user.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ScimError(
      400,
      `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
      "invalidValue",
    );
  }
  const { userName, externalId, displayName, name, emails = [], active = true } = parsed.data;
  const shown = displayName ?? name?.formatted;
  const sorted = [...emails].sort(
    (a, b) => Number(b.primary ?? false) - Number(a.primary ?? false),
  );
  return {
    user_name: userName,
    provisioned: true,
    active,
    emails: sorted.flatMap(({ value }) => value ?? []),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(shown !== undefined && { display_name: shown }),
    ...(name?.givenName !== undefined && { given_name: name.givenName }),
    ...(name?.familyName !== undefined && { family_name: name.familyName }),
  };
}
