import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type {
  RecordRange,
  RecordWriter,
  StoredRecords,
  StoredTokens,
} from "../../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { CairnError, invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
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

const PEOPLE = "person";
const NAMES = "person-name";
const SUBJECTS = "person-subject";
const IS_ID = /^[0-9a-f]{32}$/;
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
    if (!IS_ID.test(id)) return undefined;
    return read(await this.#records.get(PEOPLE, id));
  }

  withName(userName: string): Promise<Person | undefined> {
    return this.#by(NAMES, digest(personName(userName).toLowerCase()));
  }

  async list(range: RecordRange = {}): Promise<Person[]> {
    return (await this.#records.list(PEOPLE, range)).flatMap(({ value }) => read(value) ?? []);
  }

  count(): Promise<number> {
    return this.#records.count(PEOPLE);
  }

  /**
   * Returns the user with these verified claims and groups; creates it on the first log-in. Issuer
   * and subject identify the account; a name belongs to its first account. Throws forbidden and
   * conflict.
   */
  async arrive(claims: Claims): Promise<Person> {
    const known = await this.#by(SUBJECTS, digest(claims.subject));
    if (known === undefined) return this.#add(claims);
    if (!known.active) {
      throw new CairnError("forbidden", `${known.name} is deactivated and cannot log in.`);
    }
    const claimed_groups = [...claims.groups];
    if (JSON.stringify(known.claimed_groups) === JSON.stringify(claimed_groups)) return known;
    return this.#records.together(async (records) => {
      const before = read(await records.get(PEOPLE, known.id));
      if (before === undefined) throw notFound("There is no such user.");
      const after = { ...before, claimed_groups, changed_at: toTimestamp(this.#clock.now()) };
      await records.put(PEOPLE, after.id, after);
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
      await claim(records, NAMES, digest(name.toLowerCase()), id);
      await claim(records, SUBJECTS, digest(subject), id);
      await records.put(PEOPLE, id, added);
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
async function claim(records: RecordWriter, kind: string, key: string, id: string): Promise<void> {
  const found = await records.get(kind, key);
  if (found !== undefined && pointer.parse(found).person !== id) {
    throw stateConflict(
      kind === NAMES
        ? "Another user already has this name. Names identify authors, so each belongs to one user."
        : "This account already belongs to another user.",
    );
  }
  await records.put(kind, key, { person: id });
}

function read(value: object | undefined): Person | undefined {
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

const trust = z.strictObject({
  name: z.string(),
  issuer: z.string(),
  audience: z.string(),
  claims: z.record(z.string(), z.string()),
  made_at: z.string(),
});

export type Trust = z.output<typeof trust>;

const KIND = "trust";

export class Trusts {
  readonly #records: StoredRecords;
  readonly #others: { readonly tokens: Pick<StoredTokens, "list">; readonly people: People };
  readonly #clock: Clock;

  constructor(
    records: StoredRecords,
    others: { readonly tokens: Pick<StoredTokens, "list">; readonly people: People },
    clock: Clock = systemClock,
  ) {
    this.#records = records;
    this.#others = others;
    this.#clock = clock;
  }

  async list(): Promise<Trust[]> {
    const all = await this.#records.list(KIND);
    return all.flatMap(({ value }) => trust.safeParse(value).data ?? []);
  }

  /** Replaces a trust of the same name. Throws invalid_input and conflict. */
  async add(created: Omit<Trust, "made_at">): Promise<Trust> {
    const { name, issuer, audience, claims } = created;
    if (personName(name) !== name) {
      throw invalidInput(
        "agent: must be 1 to 64 letters, digits, dots, underscores, hyphens or @, and start with a letter or digit",
      );
    }
    if (!/^https:\/\/[^\s?#]+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(issuer)) {
      throw invalidInput("issuer: must be the https URL in the `iss` claim of the tokens");
    }
    if (audience === "")
      throw invalidInput("audience: is missing; give the `aud` claim of the tokens");
    // Public issuers sign tokens for anybody, so claims are required.
    if (Object.keys(claims).length === 0) {
      throw invalidInput(
        "claim: is missing; give at least one claim that the tokens must contain, such as repository=acme/shop",
      );
    }
    const vague = Object.entries(claims).find(([, value]) => /^\*?$/.test(value));
    if (vague !== undefined) throw invalidInput(`claim: ${vague[0]} must have a value`);
    const isToken = (await this.#others.tokens.list()).some(
      (token) => token.name.toLowerCase() === name.toLowerCase(),
    );
    if (isToken || (await this.#others.people.withName(name)) !== undefined) {
      throw stateConflict(`agent: a token or user named "${name}" already exists.`);
    }
    const trust = { ...created, made_at: toTimestamp(this.#clock.now()) };
    await this.#records.change(KIND, idOf(name), () => trust);
    return trust;
  }

  remove(name: string): Promise<void> {
    return this.#records.change(KIND, idOf(name), (before) => {
      if (before !== undefined) return undefined;
      throw notFound(`There is no agent "${name}". \`cairn access list\` lists them.`);
    });
  }

  async named(name: string): Promise<Trust | undefined> {
    return trust.safeParse(await this.#records.get(KIND, idOf(name))).data;
  }
}

export function claimsMatch(
  claims: Readonly<Record<string, unknown>>,
  { claims: required }: Trust,
): boolean {
  return Object.entries(required).every(([name, expected]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const text = typeof value === "boolean" || typeof value === "number" ? String(value) : value;
    if (typeof text !== "string") return false;
    return expected.endsWith("*") ? text.startsWith(expected.slice(0, -1)) : text === expected;
  });
}

function idOf(name: string): string {
  return createHash("sha256").update(name.toLowerCase()).digest("hex");
}
