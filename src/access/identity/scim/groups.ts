import { z } from "zod";
import { isCairnError } from "../../../shared/errors.ts";
import type { Group } from "../groups.ts";
import type { Identity } from "../identity.ts";
import { type AskedFor, askedFor } from "./filter.ts";
import { type FoundPage, foundPage, type PageRange } from "./found-page.ts";
import { type MemberChange, memberChange } from "./member-change.ts";
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

  /** Members are read only where they are shown or asked for. */
  list(
    filter: string | undefined,
    range: PageRange,
    shows: (attribute: string) => boolean,
  ): Promise<FoundPage> {
    const { groups } = this.#identity;
    const shown = shows("members") ? "all" : membersAskedFor(filter);
    return foundPage(
      {
        indexed: (asked) => this.#indexed(asked),
        list: (wanted) => groups.list(wanted),
        count: () => groups.count(),
        shown: (some) => this.#shown(some, shown),
      },
      filter,
      range,
    );
  }

  async #indexed(asked: readonly AskedFor[]): Promise<readonly Group[] | undefined> {
    const { groups, people } = this.#identity;
    for (const { attribute, value } of asked) {
      if (attribute === "id") return groups.getAll([value.toLowerCase()]);
      if (attribute === "displayname") return [(await groups.withName(value)) ?? []].flat();
      if (isOfMembers(attribute)) {
        return groups.getAll((await people.get(value.toLowerCase()))?.groups ?? []);
      }
    }
    return undefined;
  }

  async get(id: string, shows: (attribute: string) => boolean): Promise<object> {
    return this.#one(await this.#group(id), shows("members") ? "all" : []);
  }

  async create(given: unknown): Promise<object> {
    const { displayName, externalId, members = [] } = read(given);
    const made = await this.#identity.groups.add({ name: displayName, external_id: externalId });
    await this.#changeMembers(made.id, { join: idsOf(members) });
    return this.#one(made);
  }

  async replace(id: string, given: unknown): Promise<object> {
    await this.#group(id);
    return this.#one(await this.#write(id, read(given)));
  }

  /**
   * Who joins and leaves is changed without reading who else is in it; other changes are made to all of it.
   */
  async patch(id: string, body: unknown): Promise<void> {
    const group = await this.#group(id);
    const change = memberChange(body);
    if (change !== undefined) {
      await this.#changeMembers(id, change);
      return;
    }
    const [before] = await this.#shown([group], "all");
    await this.#write(id, read(patched({ ...before }, body)));
  }

  async remove(id: string): Promise<void> {
    await this.#group(id);
    await this.#setMembers(id, []);
    await this.#identity.groups.remove(id);
  }

  async #write(id: string, { displayName, externalId, members = [] }: Given): Promise<Group> {
    const changed = await this.#identity.groups.change(id, {
      name: displayName,
      external_id: externalId,
    });
    await this.#setMembers(id, idsOf(members));
    return changed;
  }

  async #setMembers(id: string, wanted: readonly string[]): Promise<void> {
    const members = await this.#identity.people.membersOf(id);
    const there = new Set(members.map((member) => member.id));
    const stay = new Set(wanted);
    await this.#changeMembers(id, {
      join: wanted.filter((member) => !there.has(member)),
      leave: [...there].filter((member) => !stay.has(member)),
    });
  }

  /** Throws ScimError where somebody who is to join is nobody. */
  async #changeMembers(id: string, change: MemberChange): Promise<void> {
    try {
      await this.#identity.people.changeMembers(id, change);
    } catch (error) {
      if (!isCairnError(error) || error.code !== "not_found") throw error;
      throw new ScimError(400, `members: ${error.message}`, "invalidValue");
    }
  }

  async #group(id: string): Promise<Group> {
    const found = await this.#identity.groups.get(id);
    if (found !== undefined) return found;
    throw new ScimError(404, "There is no such group");
  }

  async #one(made: Group, members: ShownMembers = "all"): Promise<object> {
    const [shown] = await this.#shown([made], members);
    return shown ?? {};
  }

  async #shown(groups: readonly Group[], members: ShownMembers) {
    const { url } = this.#identity.place;
    const shown = [];
    for (const { id, name, external_id: externalId, created_at, changed_at } of groups) {
      shown.push({
        schemas: [GROUP],
        id,
        ...(externalId !== undefined && { externalId }),
        displayName: name,
        members: await this.#members(id, members),
        meta: {
          resourceType: "Group",
          created: created_at,
          lastModified: changed_at,
          location: `${url}/scim/v2/Groups/${id}`,
        },
      });
    }
    return shown;
  }

  async #members(group: string, shown: ShownMembers) {
    const { people } = this.#identity;
    const members =
      shown === "all"
        ? await people.membersOf(group)
        : (await people.getAll(shown)).filter(({ groups }) => groups.includes(group));
    return members.map(({ id, name }) => ({ value: id, display: name, type: "User" }));
  }
}

/** All of a group, or those of some people who are in it. */
type ShownMembers = "all" | readonly string[];

/** Whose membership a filter asks for, where it asks for nothing else of the members. */
function membersAskedFor(filter = ""): ShownMembers {
  const ids = askedFor(filter).flatMap(({ attribute, value }) =>
    isOfMembers(attribute) ? [value.toLowerCase()] : [],
  );
  const mentions = filter.match(/\bmembers\b/gi) ?? [];
  return mentions.length > ids.length ? "all" : ids;
}

function isOfMembers(attribute: string): boolean {
  return attribute === "members" || attribute === "members.value";
}

function idsOf(members: readonly { readonly value: string }[]): string[] {
  return [...new Set(members.map(({ value }) => value))];
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
