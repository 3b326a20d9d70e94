import type { RecordRange } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { notFound } from "../../shared/errors.ts";
import type { People, Person } from "./people.ts";
import type { Session, Sessions } from "./sessions.ts";

export interface ShownPerson {
  readonly name: string;
  readonly active: boolean;
  readonly own_database: string;
  readonly log_ins: readonly string[];
}

/** Above this count, one query loads all sessions. */
const MAX_SEPARATE_LOOKUPS = 20;

export class LoginList {
  readonly #people: People;
  readonly #sessions: Sessions;

  constructor(people: People, sessions: Sessions) {
    this.#people = people;
    this.#sessions = sessions;
  }

  async shown(
    name: string | undefined,
    range: RecordRange = {},
  ): Promise<{ people: readonly ShownPerson[]; total: number }> {
    if (name !== undefined) {
      const found = await this.#people.withName(name);
      const people = found === undefined ? [] : await this.#addLogins([found]);
      return { people, total: people.length };
    }
    const [page, total] = await Promise.all([this.#people.list(range), this.#people.count()]);
    return { people: await this.#addLogins(page), total };
  }

  /** Ends all sessions of a user. Throws not_found. */
  async end(name: string): Promise<{ name: string; ended: number }> {
    const person = await this.#people.withName(name);
    if (person === undefined) {
      throw notFound(`There is no user "${name}". \`cairn access people\` lists them.`);
    }
    return { name: person.name, ended: await this.#sessions.endOf(person.id) };
  }

  async #addLogins(people: readonly Person[]): Promise<ShownPerson[]> {
    const sessions: Session[] = [];
    if (people.length > MAX_SEPARATE_LOOKUPS) sessions.push(...(await this.#sessions.list()));
    else for (const { id } of people) sessions.push(...(await this.#sessions.listOf(id)));
    const byPerson = groupBy(sessions, ({ person }) => person);
    return people.map(({ id, name, active, own_database }) => ({
      ...{ name, active, own_database },
      log_ins: (byPerson.get(id) ?? []).map(({ client }) => client.name),
    }));
  }
}
