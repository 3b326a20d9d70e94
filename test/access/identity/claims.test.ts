import fc from "fast-check";
import { expect, it } from "vitest";
import { readClaims } from "../../../src/access/identity/claims.ts";

const NAMES = { nameClaim: "email", groupsClaim: "groups" };
const TOLD = { iss: "https://idp.example.org", sub: "acc1", email: "ada@example.org" };

it.each([true, "true", "True", undefined])("accepts an address with email_verified %j", (value) => {
  expect(readClaims({ ...TOLD, email_verified: value }, NAMES).userName).toBe("ada@example.org");
});

it.each([false, "false", "False", "0", 0])("rejects an address with email_verified %j", (value) => {
  expect(() => readClaims({ ...TOLD, email_verified: value }, NAMES)).toThrow(/not verified/);
});

it.each([
  [
    ["dev", 7],
    ["dev", "7"],
  ],
  ["dev", ["dev"]],
  [undefined, []],
  [null, []],
])("reads groups %j as %j", (groups, expected) => {
  expect(readClaims({ ...TOLD, groups }, NAMES).groups).toEqual(expected);
});

it.each([
  { _claim_names: { groups: "src1" } },
  { hasgroups: true },
  { hasgroups: "true" },
  { groups: [{ id: "dev" }] },
  { groups: Array.from({ length: 1_001 }, (_, n) => `g${n}`) },
])("rejects incomplete group lists", (more) => {
  expect(() => readClaims({ ...TOLD, ...more }, NAMES)).toThrow(/forbidden|groups/);
});

it("rejects claims without issuer, account or name", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("iss", "sub", "email", "groups"), fc.jsonValue()),
      (told) => {
        try {
          const { subject, userName, groups } = readClaims(told, NAMES);
          expect(subject).toMatch(/^[\s\S]*\n[\s\S]+$/);
          expect(userName.trim()).not.toBe("");
          expect(groups.every((group) => typeof group === "string")).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: "forbidden" });
        }
      },
    ),
  );
});
