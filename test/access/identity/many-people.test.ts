// @module-tag long: a directory of 20 000 people.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { People } from "../../../src/access/identity/index.ts";
import type {
  DatabasePlace,
  KeptRecords,
  RecordReader,
  RecordWriter,
} from "../../../src/database/index.ts";
import { openPlace } from "../../../src/database/index.ts";
import { isDatabaseName } from "../../../src/memory/index.ts";
import { patiently } from "../../support/patiently.ts";
import { describeOnPostgres, postgresPlace } from "../../support/postgres/postgres-place.ts";
import { teamServer } from "./support/identity-server.ts";

const PEOPLE = 20_000;
const SCIM = "a-token-of-the-directory";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

describe("a directory of 20 000 people in a folder", () => {
  staysQuick(() => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-many-people-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return openPlace({ folder, address: undefined, isName: isDatabaseName });
  });
});

describeOnPostgres("a directory of 20 000 people on PostgreSQL", () => {
  staysQuick(() => {
    const place = postgresPlace();
    onTestFinished(() => place[Symbol.dispose]());
    return openPlace({ folder: "", address: place.url, isName: isDatabaseName });
  });
});

/** A place that counts the records that are read and written. */
function counting(place: DatabasePlace) {
  const counted = { read: 0, written: 0 };
  const reads = (of: RecordReader): RecordReader => ({
    async get(kind, id) {
      counted.read += 1;
      return of.get(kind, id);
    },
    async getAll(kind, ids) {
      const found = await of.getAll(kind, ids);
      counted.read += found.length;
      return found;
    },
    async list(kind, range) {
      const found = await of.list(kind, range);
      counted.read += found.length;
      return found;
    },
    count: (kind, prefix) => of.count(kind, prefix),
  });
  const records: KeptRecords = {
    ...reads(place.records),
    change: (kind, id, change) => place.records.change(kind, id, change),
    together: (body) =>
      place.records.together((all) =>
        body({
          ...reads(all),
          async put(kind, id, value) {
            counted.written += 1;
            await all.put(kind, id, value);
          },
        }),
      ),
  };
  const seen = new Proxy(place, {
    get(target, name) {
      if (name === "records") return records;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { place: seen, counted };
}

/** Kept as the product keeps them; how they come in is not what is measured. */
async function fill(place: DatabasePlace): Promise<string[]> {
  const kept = new Map<string, readonly [kind: string, id: string, value: object]>();
  const writer: RecordWriter = {
    get: async (kind, id) => kept.get(`${kind}/${id}`)?.[2],
    getAll: () => Promise.reject(new Error("No.")),
    list: () => Promise.reject(new Error("No.")),
    count: () => Promise.reject(new Error("No.")),
    async put(kind, id, value) {
      if (value !== undefined) kept.set(`${kind}/${id}`, [kind, id, value]);
    },
  };
  const people = new People(
    { ...writer, together: (body) => body(writer), change: () => Promise.reject(new Error("No.")) },
    { list: async () => [] },
  );
  const ids: string[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const user_name = `person-${n}@example.org`;
    const made = { user_name, external_id: `ext-${n}`, emails: [`p${n}@mail.example.org`] };
    ids.push((await people.add({ ...made, provisioned: true })).id);
  }
  await place.records.together(async (all) => {
    await Promise.all(Array.from(kept.values(), (record) => all.put(...record)));
  });
  return ids;
}

function staysQuick(open: () => DatabasePlace): void {
  it(
    "lists, finds and changes them without reading all",
    async () => {
      const inner = open();
      const ids = await fill(inner);
      const { place, counted } = counting(inner);
      const server = await teamServer({ place, settings: { scimToken: SCIM } });
      onTestFinished(() => server.end());
      const scim = async (method: string, path: string, body?: object) => {
        Object.assign(counted, { read: 0, written: 0 });
        const cpu = process.cpuUsage();
        const answer = await fetch(`${server.url}/scim/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${SCIM}`, "content-type": "application/scim+json" },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        const { user, system } = process.cpuUsage(cpu);
        const ms = Math.round((user + system) / 1_000);
        process.stderr.write(
          `${method} ${path.slice(0, 60)}: ${counted.read} read, ${counted.written} written, ${ms} ms of processor\n`,
        );
        return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
      };
      const find = (filter: string) =>
        scim("GET", `/Users?filter=${encodeURIComponent(filter)}&count=10`);

      const page = await scim("GET", "/Users?startIndex=19951&count=100");
      expect(page.body).toMatchObject({ totalResults: PEOPLE, itemsPerPage: 50 });
      expect(counted.read).toBeLessThanOrEqual(50);
      for (const filter of [
        'userName eq "PERSON-777@example.org"',
        'externalId eq "ext-777"',
        'emails.value eq "p777@mail.example.org"',
        'emails eq "p777@mail.example.org" and active eq true',
        `id eq "${ids[777]}"`,
      ]) {
        const { body } = await find(filter);
        expect([filter, body.totalResults, body.Resources[0]?.id]).toEqual([filter, 1, ids[777]]);
        expect(counted.read).toBeLessThan(10);
      }
      expect((await find('externalId eq "ext-777" and active eq false')).body.totalResults).toBe(0);

      // Others are held against all of them, and hold a page of what they find.
      const all = await find('userName sw "person-1999"');
      expect(all.body).toMatchObject({ totalResults: 11, itemsPerPage: 10 });
      const either = await find('externalId eq "ext-5" or externalId eq "ext-6"');
      expect(either.body.totalResults).toBe(2);

      const members = ids.slice(0, PEOPLE / 2).map((value) => ({ value }));
      const made = await scim("POST", "/Groups", { displayName: "Half", members });
      expect([made.status, made.body.members.length]).toEqual([201, PEOPLE / 2]);
      const group = `/Groups/${made.body.id}`;
      const change = async (operation: object) => {
        const { status } = await scim("PATCH", group, {
          schemas: [PATCH],
          Operations: [operation],
        });
        expect(status).toBe(204);
        expect(counted.read + counted.written).toBeLessThan(15);
      };
      await change({ op: "add", path: "members", value: [{ value: ids.at(-1) }] });
      await change({ op: "remove", path: `members[value eq "${ids[0]}"]` });
      await change({ op: "Remove", path: "members", value: [{ value: ids[1] }] });
      const named = await scim(
        "GET",
        `/Groups?filter=${encodeURIComponent('displayName eq "half"')}&excludedAttributes=members`,
      );
      expect(named.body.Resources).toMatchObject([{ displayName: "Half" }]);
      expect(counted.read).toBeLessThan(5);
      const mine = await scim(
        "GET",
        `/Groups?filter=${encodeURIComponent(`members.value eq "${ids.at(-1)}"`)}&excludedAttributes=members`,
      );
      expect(mine.body.totalResults).toBe(1);
      expect(counted.read).toBeLessThan(6);
      expect((await scim("GET", group)).body.members).toHaveLength(PEOPLE / 2 - 1);

      const left = await scim("PATCH", `/Users/${ids[5]}`, {
        schemas: [PATCH],
        Operations: [{ op: "replace", path: "active", value: false }],
      });
      expect(left.body).toMatchObject({ active: false, groups: [{ display: "Half" }] });
      expect(counted.read + counted.written).toBeLessThan(20);
      expect((await scim("DELETE", `/Users/${ids[5]}`)).status).toBe(204);
      expect(counted.read + counted.written).toBeLessThan(30);
      expect((await scim("GET", group)).body.members).toHaveLength(PEOPLE / 2 - 2);
      expect((await find('externalId eq "ext-5"')).body.totalResults).toBe(0);
    },
    patiently(240_000),
  );
}
