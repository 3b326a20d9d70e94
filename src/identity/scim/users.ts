import type { Identity } from "../identity.ts";
import type { Person } from "../people.ts";
import { isObject, nameAskedFor, parseFilter } from "./filter.ts";
import { patched } from "./patch.ts";
import { ScimError } from "./scim-error.ts";
import { personFrom, userResource } from "./user-resource.ts";

/** People, as a directory makes, changes and removes them. */
export class ScimUsers {
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  async list(filter: string | undefined): Promise<object[]> {
    const { people } = this.#identity;
    const name = filter === undefined ? undefined : nameAskedFor(filter);
    const named = name === undefined ? undefined : await people.withName(name);
    const all = name === undefined ? await people.list() : named === undefined ? [] : [named];
    const matches = filter === undefined ? () => true : parseFilter(filter);
    return (await this.#shown(all)).filter(matches);
  }

  async get(id: string): Promise<object> {
    return this.#one(await this.#person(id));
  }

  /** Somebody who logged in before the directory told of them is the same person. */
  async create(given: unknown): Promise<object> {
    const made = personFrom(given);
    const { people } = this.#identity;
    const known = await people.withName(made.user_name);
    if (known === undefined) return this.#one(await people.add(made));
    if (known.provisioned) {
      throw new ScimError(409, "userName: there is somebody of this name already", "uniqueness");
    }
    return this.#one(await this.#change(known, made));
  }

  async replace(id: string, given: unknown): Promise<object> {
    return this.#one(await this.#change(await this.#person(id), personFrom(given)));
  }

  async patch(id: string, body: unknown): Promise<object> {
    const person = await this.#person(id);
    const [before] = await this.#shown([person]);
    return this.#one(await this.#change(person, personFrom(patched({ ...before }, body))));
  }

  async remove(id: string): Promise<void> {
    const person = await this.#person(id);
    await this.#identity.people.remove(person);
    await this.#identity.left(person);
  }

  async #change(person: Person, wished: ReturnType<typeof personFrom>): Promise<Person> {
    const { id, name, own_database, created_at, changed_at, groups, claimed_groups, subject } =
      person;
    const fixed = { id, name, own_database, created_at, changed_at, claimed_groups };
    const after = await this.#identity.people.change(id, (before) => ({
      emails: [],
      active: true,
      provisioned: true,
      ...wished,
      ...fixed,
      groups: before.groups ?? groups,
      ...(subject !== undefined && { subject }),
    }));
    if (person.active && !after.active) await this.#identity.left(after);
    return after;
  }

  async #person(id: string): Promise<Person> {
    const person = await this.#identity.people.get(id);
    if (person !== undefined) return person;
    throw new ScimError(404, "There is no such user");
  }

  async #one(person: Person): Promise<object> {
    const [shown] = await this.#shown([person]);
    return isObject(shown) ? shown : {};
  }

  async #shown(people: readonly Person[]) {
    const groups = await this.#identity.groups.list();
    const { url } = this.#identity.place;
    return people.map((person) => userResource(person, groups, url));
  }
}
