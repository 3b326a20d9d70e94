import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type {
  RecordRange,
  RecordWriter,
  StoredRecords,
  StoredTokens,
} from "../../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { CairnError, notFound, stateConflict } from "../../shared/errors.ts";
import type { Claims } from "./claims.ts";

const person = z.object({
  id: z.string(),
  name: z.string(),
  user_name: z.string(),
  display_name: z.string().optional(),
  subject: z.string().optional(),
  active: z.boolean(),
  claimed_groups: z.array(z.string()),
  /** Database in which only this user has a role. */
  own_database: z.string(),
  created_at: z.string(),
  changed_at: z.string(),
});

export type Person = z.output<typeof person>;

const PERSON_KIND = "person";
const NAME_KIND = "person-name";
const SUBJECT_KIND = "person-subject";
const ID_PATTERN = /^[0-9a-f]{32}$/;
const pointer = z.object({ person: z.string() });

export class People {
  readonly #records: StoredRecords;
  readonly #tokens: Pick<StoredTokens, "list">;
  readonly #clock: Clock;

  constructor(
    records: StoredRecords,
    tokens: Pick<StoredTokens, "list">,
    clock: Clock = systemClock,
  ) {
    this.#records = records;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  async get(id: string): Promise<Person | undefined> {
    if (!ID_PATTERN.test(id)) return undefined;
    return readRecord(await this.#records.get(PERSON_KIND, id));
  }

  withName(userName: string): Promise<Person | undefined> {
    return this.#by(NAME_KIND, digest(personName(userName).toLowerCase()));
  }

  async list(range: RecordRange = {}): Promise<Person[]> {
    return (await this.#records.list(PERSON_KIND, range)).flatMap(
      ({ value }) => readRecord(value) ?? [],
    );
  }

  count(): Promise<number> {
    return this.#records.count(PERSON_KIND);
  }

  /**
   * Returns the user with these verified claims and groups; creates it on the first login. Issuer
   * and subject identify the account; a name belongs to its first account. Throws forbidden and
   * conflict.
   */
  async arrive(claims: Claims): Promise<Person> {
    const known = await this.#by(SUBJECT_KIND, digest(claims.subject));
    if (known === undefined) return this.#add(claims);
    if (!known.active) {
      throw new CairnError("forbidden", `${known.name} is deactivated and cannot log in.`);
    }
    const claimed_groups = [...claims.groups];
    if (JSON.stringify(known.claimed_groups) === JSON.stringify(claimed_groups)) return known;
    return this.#records.together(async (records) => {
      const before = readRecord(await records.get(PERSON_KIND, known.id));
      if (before === undefined) throw notFound("There is no such user.");
      const after = { ...before, claimed_groups, changed_at: toTimestamp(this.#clock.now()) };
      await records.put(PERSON_KIND, after.id, after);
      return after;
    });
  }

  async #add({ userName, subject, displayName, groups }: Claims): Promise<Person> {
    const id = randomBytes(16).toString("hex");
    const now = toTimestamp(this.#clock.now());
    const name = personName(userName);
    await this.#requireNoToken(name);
    const added: Person = {
      ...{ id, name, subject, user_name: userName, active: true, claimed_groups: [...groups] },
      ...(displayName !== undefined && { display_name: displayName }),
      own_database: `own-${name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}-${id.slice(0, 8)}`,
      ...{ created_at: now, changed_at: now },
    };
    await this.#records.together(async (records) => {
      await claimRecord(records, NAME_KIND, digest(name.toLowerCase()), id);
      await claimRecord(records, SUBJECT_KIND, digest(subject), id);
      await records.put(PERSON_KIND, id, added);
    });
    return added;
  }

  async #by(kind: string, key: string): Promise<Person | undefined> {
    const found = await this.#records.get(kind, key);
    return found === undefined ? undefined : this.get(pointer.parse(found).person);
  }

  /** Tokens and users are both authors, so their names must differ. */
  async #requireNoToken(name: string): Promise<void> {
    const tokens = await this.#tokens.list();
    if (!tokens.some((token) => token.name.toLowerCase() === name.toLowerCase())) return;
    throw stateConflict(
      `A token has the name "${name}" already. Revoke it first (cairn token revoke ${name}), so that the author of each change is unambiguous.`,
    );
  }
}

/** Throws conflict if another user has the name or account. */
async function claimRecord(
  records: RecordWriter,
  kind: string,
  key: string,
  id: string,
): Promise<void> {
  const found = await records.get(kind, key);
  if (found !== undefined && pointer.parse(found).person !== id) {
    throw stateConflict(
      kind === NAME_KIND
        ? "Another user already has this name. Names identify authors, so each belongs to one user."
        : "This account already belongs to another user.",
    );
  }
  await records.put(kind, key, { person: id });
}

function readRecord(value: object | undefined): Person | undefined {
  return value === undefined ? undefined : person.parse(value);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const MAX_NAME_LENGTH = 64;

/** Author names of changes made without a user. */
const RESERVED_NAMES: readonly string[] = ["cli", "rest", "mcp", "agent", "library", "retention"];

export function personName(userName: string): string {
  const name = userName
    .trim()
    .replace(/[^A-Za-z0-9._@-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, MAX_NAME_LENGTH);
  if (name === "") return "somebody";
  return RESERVED_NAMES.includes(name.toLowerCase()) ? `person-${name}` : name;
}
