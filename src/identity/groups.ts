import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { KeptRecords } from "../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../kernel/clock.ts";
import { notFound, stateConflict } from "../kernel/errors.ts";

const group = z.object({
  id: z.string(),
  name: z.string(),
  external_id: z.string().optional(),
  created_at: z.string(),
  changed_at: z.string(),
});

export type Group = z.output<typeof group>;

const KIND = "group";

/** Groups that the directory told of. Who is in one, each person's record says. */
export class Groups {
  readonly #records: KeptRecords;
  readonly #clock: Clock;

  constructor(records: KeptRecords, clock: Clock = systemClock) {
    this.#records = records;
    this.#clock = clock;
  }

  async get(id: string): Promise<Group | undefined> {
    if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
    const found = await this.#records.get(KIND, id);
    return found === undefined ? undefined : group.parse(found);
  }

  async list(): Promise<Group[]> {
    return (await this.#records.list(KIND)).map(({ value }) => group.parse(value));
  }

  /** Throws conflict where there is one of this name. */
  async add({ name, external_id }: Pick<Group, "name" | "external_id">): Promise<Group> {
    await this.#requireFree(name);
    const now = toTimestamp(this.#clock.now());
    const id = randomBytes(16).toString("hex");
    const added = {
      id,
      name,
      created_at: now,
      changed_at: now,
      ...(external_id && { external_id }),
    };
    await this.#records.change(KIND, id, () => added);
    return added;
  }

  async change(
    id: string,
    { name, external_id }: Pick<Group, "name" | "external_id">,
  ): Promise<Group> {
    await this.#requireFree(name, id);
    let after: Group | undefined;
    await this.#records.change(KIND, id, (before) => {
      if (before === undefined) throw notFound("There is no such group.");
      const { external_id: _before, ...known } = group.parse(before);
      const changed_at = toTimestamp(this.#clock.now());
      after = { ...known, name, changed_at, ...(external_id && { external_id }) };
      return after;
    });
    if (after === undefined) throw notFound("There is no such group.");
    return after;
  }

  remove(id: string): Promise<void> {
    return this.#records.change(KIND, id, () => undefined);
  }

  async #requireFree(name: string, except?: string): Promise<void> {
    const same = (await this.list()).find((it) => it.name.toLowerCase() === name.toLowerCase());
    if (same === undefined || same.id === except) return;
    throw stateConflict(
      `There is a group ${same.name} already; roles are given to it by its name.`,
    );
  }
}
