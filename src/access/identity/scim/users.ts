import type { Identity } from "../identity.ts";
import type { Person, PersonKey } from "../people.ts";
import { type AskedFor, isObject } from "./filter.ts";
import { type FoundPage, foundPage, type PageRange } from "./found-page.ts";
import { patched } from "./patch.ts";
import { ScimError } from "./scim-error.ts";
import { personFrom, userResource } from "./user-resource.ts";

/** People, as a directory makes, changes and removes them. */
export class ScimUsers {
  readonly #identity: Identity;

  constructor(identity: Identity) {
    this.#identity = identity;
  }

  list(filter: string | undefined, range: PageRange): Promise<FoundPage> {
    const { people } = this.#identity;
    return foundPage(
      {
        indexed: (asked) => this.#indexed(asked),
        list: (wanted) => people.list(wanted),
        count: () => people.count(),
        shown: (some) => this.#shown(some),
      },
      filter,
      range,
    );
  }

  async #indexed(asked: readonly AskedFor[]): Promise<readonly Person[] | undefined> {
    const { people } = this.#identity;
    for (const { attribute, value } of asked) {
      if (attribute === "id") return people.getAll([value.toLowerCase()]);
      const key = KEYS[attribute];
      if (key !== undefined) return people.with(key, value);
    }
    return undefined;
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
    const { people } = this.#identity;
    // Where the server ends in the middle they are still known, and asking again does the rest.
    await people.change(id, (before) => ({ ...before, active: false }));
    await this.#identity.left(person);
    await people.remove(person);
  }

  async #change(person: Person, wished: ReturnType<typeof personFrom>): Promise<Person> {
    const { id, name, own_database, created_at, changed_at, groups, claimed_groups, subject } =
      person;
    // What was not ended when they left is nothing that they come back with.
    if (!person.active) await this.#identity.logOut(person);
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
    // Said again: the server may have ended before all was done.
    if (!after.active) await this.#identity.left(after);
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
    const groups = new Set(people.flatMap((person) => person.groups));
    const known = await this.#identity.groups.getAll([...groups]);
    const { url } = this.#identity.place;
    return people.map((person) => userResource(person, known, url));
  }
}

/** Attributes by which people are found without reading all. */
const KEYS: Readonly<Record<string, PersonKey>> = {
  username: "name",
  externalid: "external_id",
  emails: "email",
  "emails.value": "email",
};
