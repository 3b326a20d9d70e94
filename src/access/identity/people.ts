import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { KeptRecords, KeptTokens, RecordRange, RecordWriter } from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";
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
/** From the name that they have, and from the account of the provider: each leads to one person. */
const NAMES = "person-name";
const SUBJECTS = "person-subject";
/** From what several people may have: the id of each record ends with that of a person. */
const EXTERNAL_IDS = "person-external";
const EMAILS = "person-email";
const MEMBERS = "member";

/** What people are found by besides their id. */
export type PersonKey = "name" | "external_id" | "email";

/** Somebody in a group. */
export interface Member {
  readonly id: string;
  readonly name: string;
}

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
    if (!IS_ID.test(id)) return undefined;
    return read(await this.#records.get(PEOPLE, id));
  }

  async getAll(ids: readonly string[]): Promise<Person[]> {
    const known = ids.filter((id) => IS_ID.test(id));
    return (await this.#records.getAll(PEOPLE, known)).flatMap(({ value }) => read(value) ?? []);
  }

  /** In whatever case. */
  withName(userName: string): Promise<Person | undefined> {
    return this.#by(NAMES, digest(personName(userName).toLowerCase()));
  }

  ofSubject(subject: string): Promise<Person | undefined> {
    return this.#by(SUBJECTS, digest(subject));
  }

  /** Who has this value, in whatever case. */
  async with(key: PersonKey, value: string): Promise<Person[]> {
    if (key === "name") {
      const named = await this.withName(value);
      return named === undefined ? [] : [named];
    }
    const prefix = `${digest(value.toLowerCase())}.`;
    const found = await this.#records.list(key === "email" ? EMAILS : EXTERNAL_IDS, { prefix });
    return this.getAll(found.map(({ id }) => id.slice(prefix.length)));
  }

  async list(range: RecordRange = {}): Promise<Person[]> {
    return (await this.#records.list(PEOPLE, range)).flatMap(({ value }) => read(value) ?? []);
  }

  count(): Promise<number> {
    return this.#records.count(PEOPLE);
  }

  async membersOf(group: string): Promise<Member[]> {
    const found = await this.#records.list(MEMBERS, { prefix: `${group}.` });
    return found.map(({ id, value }) => ({
      id: id.slice(group.length + 1),
      name: member.parse(value).name,
    }));
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
    await this.#records.together((records) => keep(records, undefined, added));
    return added;
  }

  /** Throws not_found, and conflict where a new name or account is somebody else's. */
  async change(id: string, change: (before: Person) => Person): Promise<Person> {
    const known = await this.get(id);
    if (known === undefined) throw notFound("There is no such person.");
    const wished = personName(change(known).user_name);
    if (wished.toLowerCase() !== known.name.toLowerCase()) await this.#requireNoToken(wished);
    return this.#records.together(async (records) => {
      const before = read(await records.get(PEOPLE, id));
      if (before === undefined) throw notFound("There is no such person.");
      return this.#changeTo(records, before, change(before));
    });
  }

  async remove({ id }: Pick<Person, "id">): Promise<void> {
    await this.#records.together(async (records) => {
      const before = read(await records.get(PEOPLE, id));
      if (before !== undefined) await keep(records, before, undefined);
    });
  }

  /**
   * Puts people into a group and takes others out. Where the server ends in the middle some are changed, and
   * doing it again does the rest. Throws not_found for an id to put in that nobody has; then nobody is changed.
   */
  async changeMembers(
    group: string,
    { join = [], leave = [] }: { readonly join?: readonly string[]; leave?: readonly string[] },
  ): Promise<void> {
    await forEachBatch(join, async (ids) => {
      const known = new Set((await this.getAll(ids)).map(({ id }) => id));
      const unknown = ids.find((id) => !known.has(id));
      if (unknown !== undefined) throw notFound(`there is no user ${unknown.slice(0, 60)}`);
    });
    const isIn = (it: Person) => it.groups.includes(group);
    await this.#changeAll(join, (it) => (isIn(it) ? it.groups : [...it.groups, group]));
    await this.#changeAll(leave, (it) =>
      isIn(it) ? it.groups.filter((id) => id !== group) : it.groups,
    );
  }

  async #changeAll(ids: readonly string[], groupsOf: (before: Person) => string[]): Promise<void> {
    await forEachBatch(ids, (some) =>
      this.#records.together(async (records) => {
        const asked = some.filter((id) => IS_ID.test(id));
        for (const { value } of await records.getAll(PEOPLE, asked)) {
          const before = read(value);
          if (before === undefined) continue;
          const groups = groupsOf(before);
          if (groups !== before.groups)
            await this.#changeTo(records, before, { ...before, groups });
        }
      }),
    );
  }

  async #changeTo(records: RecordWriter, before: Person, wished: Person): Promise<Person> {
    const after = {
      ...wished,
      id: before.id,
      name: personName(wished.user_name),
      changed_at: toTimestamp(this.#clock.now()),
    };
    await keep(records, before, after);
    return after;
  }

  async #by(kind: string, key: string): Promise<Person | undefined> {
    const found = await this.#records.get(kind, key);
    return found === undefined ? undefined : this.get(pointer.parse(found).person);
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

const IS_ID = /^[0-9a-f]{32}$/;

const pointer = z.object({ person: z.string() });
const member = z.object({ name: z.string() });

interface KeyRecord {
  readonly kind: string;
  readonly id: string;
  readonly value: object;
}

/** Keeps a person with all that they are found by. Throws conflict where a name or account is somebody else's. */
async function keep(
  records: RecordWriter,
  before: Person | undefined,
  after: Person | undefined,
): Promise<void> {
  const [old, current] = [keysOf(before), keysOf(after)];
  const isKept = new Map(old.map((key) => [placeOf(key), JSON.stringify(key.value)]));
  for (const key of current) {
    if (isKept.get(placeOf(key)) === JSON.stringify(key.value)) continue;
    await requireFree(records, key);
    await records.put(key.kind, key.id, key.value);
  }
  const stays = new Set(current.map(placeOf));
  for (const key of old)
    if (!stays.has(placeOf(key))) await records.put(key.kind, key.id, undefined);
  const id = (after ?? before)?.id;
  if (id !== undefined) await records.put(PEOPLE, id, after);
}

async function requireFree(records: RecordWriter, { kind, id, value }: KeyRecord): Promise<void> {
  if (kind !== NAMES && kind !== SUBJECTS) return;
  const found = await records.get(kind, id);
  if (found === undefined || JSON.stringify(found) === JSON.stringify(value)) return;
  throw stateConflict(
    kind === NAMES
      ? "Somebody else has this name already: it is the author of what is written, and belongs to one person."
      : "This account belongs to somebody else already.",
  );
}

function keysOf(person: Person | undefined): KeyRecord[] {
  if (person === undefined) return [];
  const { id, name, subject, external_id: external, emails, groups } = person;
  const one = (kind: string, text: string) => ({
    kind,
    id: digest(text),
    value: { person: id },
  });
  const several = (kind: string, text: string) => ({
    kind,
    id: `${digest(text.toLowerCase())}.${id}`,
    value: {},
  });
  return [
    one(NAMES, name.toLowerCase()),
    ...(subject === undefined ? [] : [one(SUBJECTS, subject)]),
    ...(external === undefined ? [] : [several(EXTERNAL_IDS, external)]),
    ...[...new Set(emails.map((email) => email.toLowerCase()))].map((it) => several(EMAILS, it)),
    ...groups.map((group) => ({ kind: MEMBERS, id: `${group}.${id}`, value: { name } })),
  ];
}

function placeOf({ kind, id }: KeyRecord): string {
  return `${kind}/${id}`;
}

function read(value: object | undefined): Person | undefined {
  return value === undefined ? undefined : person.parse(value);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
