import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { KeptRecords, RecordRange, RecordWriter } from "../../database/index.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";

const group = z.object({
  id: z.string(),
  name: z.string(),
  external_id: z.string().optional(),
  created_at: z.string(),
  changed_at: z.string(),
});

export type Group = z.output<typeof group>;

const KIND = "group";
/** From the name of a group, which it has alone. */
const NAMES = "group-name";

const pointer = z.object({ group: z.string() });

/** Groups that the directory told of. Who is in one, each person's record says. */
export class Groups {
  readonly #records: KeptRecords;
  readonly #clock: Clock;

  constructor(records: KeptRecords, clock: Clock = systemClock) {
    this.#records = records;
    this.#clock = clock;
  }

  async get(id: string): Promise<Group | undefined> {
    if (!IS_ID.test(id)) return undefined;
    return read(await this.#records.get(KIND, id));
  }

  async getAll(ids: readonly string[]): Promise<Group[]> {
    const known = ids.filter((id) => IS_ID.test(id));
    return (await this.#records.getAll(KIND, known)).flatMap(({ value }) => read(value) ?? []);
  }

  /** In whatever case. */
  async withName(name: string): Promise<Group | undefined> {
    const found = await this.#records.get(NAMES, keyOf(name));
    return found === undefined ? undefined : this.get(pointer.parse(found).group);
  }

  async list(range: RecordRange = {}): Promise<Group[]> {
    return (await this.#records.list(KIND, range)).flatMap(({ value }) => read(value) ?? []);
  }

  count(): Promise<number> {
    return this.#records.count(KIND);
  }

  /** Throws conflict where there is one of this name. */
  async add({ name, external_id }: Pick<Group, "name" | "external_id">): Promise<Group> {
    const now = toTimestamp(this.#clock.now());
    const id = randomBytes(16).toString("hex");
    const added = {
      id,
      name,
      created_at: now,
      changed_at: now,
      ...(external_id && { external_id }),
    };
    await this.#records.together(async (records) => {
      await claim(records, added);
      await records.put(KIND, id, added);
    });
    return added;
  }

  /** Throws not_found, and conflict where another one has the name. */
  change(id: string, { name, external_id }: Pick<Group, "name" | "external_id">): Promise<Group> {
    return this.#records.together(async (records) => {
      const before = read(await records.get(KIND, id));
      if (before === undefined) throw notFound("There is no such group.");
      const { external_id: _before, ...known } = before;
      const changed_at = toTimestamp(this.#clock.now());
      const after = { ...known, name, changed_at, ...(external_id && { external_id }) };
      await claim(records, after);
      if (keyOf(before.name) !== keyOf(name))
        await records.put(NAMES, keyOf(before.name), undefined);
      await records.put(KIND, id, after);
      return after;
    });
  }

  remove(id: string): Promise<void> {
    return this.#records.together(async (records) => {
      const before = read(await records.get(KIND, id));
      if (before === undefined) return;
      await records.put(NAMES, keyOf(before.name), undefined);
      await records.put(KIND, id, undefined);
    });
  }
}

const IS_ID = /^[0-9a-f]{32}$/;

async function claim(
  records: RecordWriter,
  { id, name }: Pick<Group, "id" | "name">,
): Promise<void> {
  const found = await records.get(NAMES, keyOf(name));
  if (found !== undefined && pointer.parse(found).group !== id) {
    throw stateConflict(`There is a group ${name} already; roles are given to it by its name.`);
  }
  await records.put(NAMES, keyOf(name), { group: id });
}

function read(value: object | undefined): Group | undefined {
  return value === undefined ? undefined : group.parse(value);
}

function keyOf(name: string): string {
  return createHash("sha256").update(name.toLowerCase()).digest("hex");
}
