import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { KeptRecords, KeptTokens } from "../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../kernel/clock.ts";
import { notFound, stateConflict } from "../kernel/errors.ts";
import { personName } from "./person-name.ts";

const person = z.object({
  id: z.string(),
  /** The author of what they write. */
  name: z.string(),
  /** As the directory calls them. */
  user_name: z.string(),
  display_name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  emails: z.array(z.string()),
  external_id: z.string().optional(),
  /** Which account of the provider is theirs; undefined before the first log-in. */
  subject: z.string().optional(),
  active: z.boolean(),
  /** The directory told of them. */
  provisioned: z.boolean(),
  /** Ids of groups that the directory put them in. */
  groups: z.array(z.string()),
  /** Names of groups that the provider named at the last log-in. */
  claimed_groups: z.array(z.string()),
  /** The database that is theirs alone, should they have a role in it. */
  own_database: z.string(),
  created_at: z.string(),
  changed_at: z.string(),
});

export type Person = z.output<typeof person>;

export type NewPerson = Pick<Person, "user_name"> &
  Partial<Omit<Person, "id" | "name" | "own_database" | "created_at" | "changed_at">>;

const PEOPLE = "person";
/** From the name that they have, and from the account of the provider. */
const NAMES = "person-name";
const SUBJECTS = "person-subject";

/** The people of a place, kept where its databases are. */
export class People {
  readonly #records: KeptRecords;
  readonly #tokens: Pick<KeptTokens, "list">;
  readonly #clock: Clock;

  constructor(records: KeptRecords, tokens: Pick<KeptTokens, "list">, clock: Clock = systemClock) {
    this.#records = records;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  async get(id: string): Promise<Person | undefined> {
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    return read(await this.#records.get(PEOPLE, id));
  }

  /** In whatever case. */
  withName(userName: string): Promise<Person | undefined> {
    return this.#by(NAMES, digest(personName(userName).toLowerCase()));
  }

  ofSubject(subject: string): Promise<Person | undefined> {
    return this.#by(SUBJECTS, digest(subject));
  }

  async list(): Promise<Person[]> {
    return (await this.#records.list(PEOPLE)).flatMap(({ value }) => read(value) ?? []);
  }

  /** Throws conflict where somebody, or a token, has the name. */
  async add(made: NewPerson): Promise<Person> {
    const id = randomBytes(16).toString("hex");
    const now = toTimestamp(this.#clock.now());
    const name = personName(made.user_name);
    await this.#requireNoToken(name);
    const added: Person = {
      emails: [],
      active: true,
      provisioned: false,
      groups: [],
      claimed_groups: [],
      ...made,
      id,
      name,
      own_database: `own-${name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}-${id.slice(0, 8)}`,
      created_at: now,
      changed_at: now,
    };
    await this.#claim(NAMES, digest(name.toLowerCase()), id);
    await this.#records.change(PEOPLE, id, () => added);
    if (made.subject !== undefined) await this.#claim(SUBJECTS, digest(made.subject), id);
    return added;
  }

  /** Throws not_found, and conflict where a new name or account is somebody else's. */
  async change(id: string, change: (before: Person) => Person): Promise<Person> {
    const known = await this.get(id);
    if (known === undefined) throw notFound("There is no such person.");
    const wished = change(known);
    const name = personName(wished.user_name);
    const isRenamed = name.toLowerCase() !== known.name.toLowerCase();
    if (isRenamed) {
      await this.#requireNoToken(name);
      await this.#claim(NAMES, digest(name.toLowerCase()), id);
    }
    if (wished.subject !== undefined && wished.subject !== known.subject) {
      await this.#claim(SUBJECTS, digest(wished.subject), id);
    }
    let after = wished;
    await this.#records.change(PEOPLE, id, (before) => {
      const current = read(before);
      if (current === undefined) throw notFound("There is no such person.");
      after = { ...change(current), id, name, changed_at: toTimestamp(this.#clock.now()) };
      return after;
    });
    if (isRenamed) await this.#records.change(NAMES, digest(known.name.toLowerCase()), gone);
    return after;
  }

  async remove({ id, name, subject }: Person): Promise<void> {
    await this.#records.change(PEOPLE, id, gone);
    await this.#records.change(NAMES, digest(name.toLowerCase()), gone);
    if (subject !== undefined) await this.#records.change(SUBJECTS, digest(subject), gone);
  }

  async #by(kind: string, key: string): Promise<Person | undefined> {
    const found = await this.#records.get(kind, key);
    return found === undefined ? undefined : this.get(pointer.parse(found).person);
  }

  async #claim(kind: string, key: string, id: string): Promise<void> {
    await this.#records.change(kind, key, (before) => {
      const owner = before === undefined ? id : pointer.parse(before).person;
      if (owner === id) return { person: id };
      throw stateConflict(
        kind === NAMES
          ? "Somebody else has this name already: it is the author of what is written, and belongs to one person."
          : "This account belongs to somebody else already.",
      );
    });
  }

  /** Both are authors: what a token wrote must not look like a person's, nor be theirs to undo. */
  async #requireNoToken(name: string): Promise<void> {
    const tokens = await this.#tokens.list();
    if (!tokens.some((token) => token.name.toLowerCase() === name.toLowerCase())) return;
    throw stateConflict(
      `A token has the name ${name}: revoke it first (cairn token revoke ${name}), or the author of a change would be in doubt.`,
    );
  }
}

const pointer = z.object({ person: z.string() });

const gone = () => undefined;

function read(value: object | undefined): Person | undefined {
  return value === undefined ? undefined : person.parse(value);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
