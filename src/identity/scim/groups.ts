import { z } from "zod";
import type { Group } from "../groups.ts";
import type { Identity } from "../identity.ts";
import { parseFilter } from "./filter.ts";
import { patched } from "./patch.ts";
import { ScimError } from "./scim-error.ts";

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

const group = z.object({
  displayName: z.string().min(1).max(200),
  externalId: z.string().max(500).optional(),
  members: z.array(z.object({ value: z.string() })).optional(),
});

type Given = z.output<typeof group>;

/** Groups, and who is in them. */
export class ScimGroups {
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async list(filter: string | undefined): Promise<object[]> {
    const matches = filter === undefined ? () => true : parseFilter(filter);
    const all = await this.#identity.groups.list();
    return (await this.#shown(all)).filter(matches);
  }

  async get(id: string): Promise<object> {
    return this.#one(await this.#group(id));
  }

  async create(given: unknown): Promise<object> {
    const { displayName, externalId, members = [] } = read(given);
    const made = await this.#identity.groups.add({ name: displayName, external_id: externalId });
    await this.#setMembers(made.id, members);
    return this.#one(made);
  }

  async replace(id: string, given: unknown): Promise<object> {
    await this.#group(id);
    return this.#write(id, read(given));
  }

  async patch(id: string, body: unknown): Promise<object> {
    const [before] = await this.#shown([await this.#group(id)]);
    return this.#write(id, read(patched({ ...before }, body)));
  }

  async remove(id: string): Promise<void> {
    await this.#group(id);
    await this.#setMembers(id, []);
    await this.#identity.groups.remove(id);
  }

  async #write(id: string, { displayName, externalId, members = [] }: Given): Promise<object> {
    const changed = await this.#identity.groups.change(id, {
      name: displayName,
      external_id: externalId,
    });
    await this.#setMembers(id, members);
    return this.#one(changed);
  }

  /** Who is in it, each person's own record says. */
  async #setMembers(id: string, members: readonly { readonly value: string }[]): Promise<void> {
    const { people } = this.#identity;
    const wanted = new Set(members.map(({ value }) => value));
    const all = await people.list();
    const unknown = [...wanted].find((value) => !all.some((person) => person.id === value));
    if (unknown !== undefined) {
      throw new ScimError(400, `members: there is no user ${unknown.slice(0, 60)}`, "invalidValue");
    }
    for (const person of all) {
      if (wanted.has(person.id) === person.groups.includes(id)) continue;
      await people.change(person.id, (before) => ({
        ...before,
        groups: wanted.has(person.id)
          ? [...new Set([...before.groups, id])]
          : before.groups.filter((it) => it !== id),
      }));
    }
  }

  async #group(id: string): Promise<Group> {
    const found = await this.#identity.groups.get(id);
    if (found !== undefined) return found;
    throw new ScimError(404, "There is no such group");
  }

  async #one(made: Group): Promise<object> {
    const [shown] = await this.#shown([made]);
    return shown ?? {};
  }

  async #shown(groups: readonly Group[]) {
    const people = await this.#identity.people.list();
    const { url } = this.#identity.place;
    return groups.map(({ id, name, external_id: externalId, created_at, changed_at }) => ({
      schemas: [GROUP],
      id,
      ...(externalId !== undefined && { externalId }),
      displayName: name,
      members: people
        .filter((person) => person.groups.includes(id))
        .map((person) => ({ value: person.id, display: person.name, type: "User" })),
      meta: {
        resourceType: "Group",
        created: created_at,
        lastModified: changed_at,
        location: `${url}/scim/v2/Groups/${id}`,
      },
    }));
  }
}

function read(given: unknown): Given {
  const parsed = group.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ScimError(
    400,
    `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`,
    "invalidValue",
  );
}
