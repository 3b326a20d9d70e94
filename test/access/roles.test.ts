import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { combineRights, narrowDatabases, type Rights, Roles } from "../../src/access/index.ts";
import type { DatabaseBackend } from "../../src/database/index.ts";
import {
  type AccessScope,
  allows,
  type Caller,
  MEMORY_SCOPES,
  mayOpen,
} from "../../src/shared/caller.ts";
import { temporaryFolder } from "../support/memory-server.ts";
import { openBackend } from "../support/test-backend.ts";

let backend: DatabaseBackend;

beforeAll(() => {
  backend = openBackend(temporaryFolder());
});
afterAll(() => backend.close());

const group = (name: string) => ({ kind: "group", name }) as const;
const ada = { kind: "person", name: "ada" } as const;
const everyone = { kind: "everyone", name: "" } as const;

it("uses the highest role of user and groups per database", async () => {
  const roles = new Roles(backend.records);
  await roles.grant(group("dev"), "write", ["shop", "docs"]);
  await roles.grant(group("Leads"), "decide", ["shop"]);
  await roles.grant(ada, "read", ["shop", "hr"]);
  await roles.grant(everyone, "admin", ["@own"]);
  const all = await roles.list();
  expect(combineRights(all, [ada, group("DEV"), group("leads"), everyone], "own-ada")).toEqual({
    scope: "read",
    databases: ["docs", "hr", "own-ada", "shop"],
    within: { docs: "write", "own-ada": "admin", shop: "decide" },
  });
  expect(combineRights(all, [group("dev")])).toEqual({
    scope: "write",
    databases: ["docs", "shop"],
  });
  expect(combineRights(all, [group("other")])).toEqual({ scope: "metrics", databases: [] });
  await roles.grant(everyone, "read");
  expect(combineRights(await roles.list(), [everyone, group("dev")], "own-ada")).toEqual({
    scope: "read",
    within: { docs: "write", "own-ada": "admin", shop: "write" },
  });
});

it("revokes roles in one or all databases and reports missing ones", async () => {
  const roles = new Roles(backend.records);
  await roles.grant(group("ops"), "write", ["shop", "docs"]);
  await roles.revoke(group("OPS"), ["docs"]);
  expect((await roles.list()).find(({ name }) => name === "ops")?.roles).toEqual({ shop: "write" });
  await expect(roles.revoke(group("ops"), ["docs"])).rejects.toMatchObject({ code: "not_found" });
  await roles.revoke(group("ops"));
  expect((await roles.list()).some(({ name }) => name === "ops")).toBe(false);
  await expect(roles.revoke(group("ops"))).rejects.toMatchObject({ code: "not_found" });
});

it("rejects invalid holders and databases", async () => {
  const roles = new Roles(backend.records);
  for (const [holder, databases] of [
    [group(""), ["shop"]],
    [{ kind: "everyone", name: "x" } as const, ["shop"]],
    [group("dev"), ["../shop"]],
    [group("dev"), []],
    [group("dev"), ["@other"]],
  ] as const) {
    await expect(roles.grant(holder, "read", databases)).rejects.toMatchObject({
      code: "invalid_input",
    });
  }
  await expect(roles.grant(group("dev"), "metrics", ["shop"])).rejects.toMatchObject({
    code: "invalid_input",
  });
});

it("stores roles granted concurrently", async () => {
  const roles = new Roles(backend.records);
  const names = Array.from({ length: 12 }, (_, n) => `base-${n}`);
  await Promise.all(names.map((name) => roles.grant(group("busy"), "read", [name])));
  const busy = (await roles.list()).find(({ name }) => name === "busy");
  expect(Object.keys(busy?.roles ?? {}).sort()).toEqual([...names].sort());
});

const scope = fc.constantFrom(...MEMORY_SCOPES);
const database = fc.constantFrom("a", "b", "c");
const record = fc.record({
  kind: fc.constant("group" as const),
  name: fc.constantFrom("one", "two"),
  roles: fc.dictionary(fc.constantFrom("*", "a", "b"), scope),
  changed_at: fc.constant(""),
});

it("never exceeds the role in the database or the token's scope", () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 4 }),
      database,
      scope,
      scope,
      fc.option(fc.subarray(["a", "b", "c"]), { nil: undefined }),
      (records, asked, needed, most, databases) => {
        const as = [group("one")];
        const theirs = records.filter(({ name }) => name === "one");
        const roleIn = (name: string): AccessScope[] =>
          theirs.flatMap(({ roles }) => {
            const role = roles[name];
            return role === undefined ? [] : [role];
          });
        const rank = (one: AccessScope) => (MEMORY_SCOPES as readonly AccessScope[]).indexOf(one);
        const given = [...roleIn(asked), ...roleIn("*")].some((one) => rank(one) >= rank(needed));
        const may = (rights: Rights) => {
          const caller: Caller = { name: "x", ...rights };
          return mayOpen(caller, asked) && allows(caller, needed, asked);
        };
        const rights = combineRights(records, as);
        // `metrics` opens no database; every other right is at least `read`.
        if (needed !== "metrics") expect(may(rights)).toBe(given);
        const less = narrowDatabases(rights, { maxScope: most, ...(databases && { databases }) });
        const isWithin =
          rank(needed) <= rank(most) && (databases === undefined || databases.includes(asked));
        if (needed !== "metrics") expect(may(less)).toBe(given && isWithin);
      },
    ),
    { numRuns: 2_000 },
  );
});
