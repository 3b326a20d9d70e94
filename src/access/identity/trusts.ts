import { createHash } from "node:crypto";
import { z } from "zod";
import type { StoredRecords, StoredTokens } from "../../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import { type People, personName } from "./people.ts";

const trust = z.strictObject({
  name: z.string(),
  issuer: z.string(),
  audience: z.string(),
  /** What the token has to say; a `*` at the end stands for any ending. */
  claims: z.record(z.string(), z.string()),
  made_at: z.string(),
});

/** Tokens of programs that are exchanged: whose, and what they have to say. */
export type Trust = z.output<typeof trust>;

const KIND = "trust";

/** Which programs of other issuers, such as a CI, are which agent here. */
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

  /** In place of the one of this name. Throws invalid_input and conflict. */
  async add(made: Omit<Trust, "made_at">): Promise<Trust> {
    const { name, issuer, audience, claims } = made;
    if (personName(name) !== name) {
      throw invalidInput(
        "agent: 1 to 64 letters, digits, dots, underscores, hyphens or @, a letter or digit first",
      );
    }
    if (!/^https:\/\/[^\s?#]+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(issuer)) {
      throw invalidInput("issuer: must be the https address that the tokens name as `iss`");
    }
    if (audience === "") throw invalidInput("audience: say what the tokens have to be made for");
    // Anybody can have a token made by a public issuer.
    if (Object.keys(claims).length === 0) {
      throw invalidInput("claim: say what else the token has to say, as repository=acme/shop");
    }
    const vague = Object.entries(claims).find(([, value]) => /^\*?$/.test(value));
    if (vague !== undefined) throw invalidInput(`claim: ${vague[0]} must have a value`);
    const isToken = (await this.#others.tokens.list()).some(
      (token) => token.name.toLowerCase() === name.toLowerCase(),
    );
    if (isToken || (await this.#others.people.withName(name)) !== undefined) {
      throw stateConflict(`agent: a token or a person has the name ${name} already.`);
    }
    const kept = { ...made, made_at: toTimestamp(this.#clock.now()) };
    await this.#records.change(KIND, idOf(name), () => kept);
    return kept;
  }

  /** Throws not_found. */
  remove(name: string): Promise<void> {
    return this.#records.change(KIND, idOf(name), (before) => {
      if (before !== undefined) return undefined;
      throw notFound(`There is no agent "${name}". \`cairn access list\` names those that exist.`);
    });
  }

  async named(name: string): Promise<Trust | undefined> {
    return trust.safeParse(await this.#records.get(KIND, idOf(name))).data;
  }
}

/** True if a verified token says all that it has to. */
export function says(claims: Readonly<Record<string, unknown>>, { claims: asked }: Trust): boolean {
  return Object.entries(asked).every(([name, wanted]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const text = typeof value === "boolean" || typeof value === "number" ? String(value) : value;
    if (typeof text !== "string") return false;
    return wanted.endsWith("*") ? text.startsWith(wanted.slice(0, -1)) : text === wanted;
  });
}

function idOf(name: string): string {
  return createHash("sha256").update(name.toLowerCase()).digest("hex");
}
