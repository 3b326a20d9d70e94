import { expect, it } from "vitest";
import { requestedScope } from "../../../src/access/identity/oauth/pages.ts";

it.each([
  [undefined, "write"],
  ["read", "read"],
  ["read write offline_access", "write"],
  ["offline_access", "read"],
])("grants for the scope %j: %s", (asked, granted) => {
  expect(requestedScope(asked)).toBe(granted);
});

it.each(["root", "read root", "WRITE", "approve", "metrics"])("rejects the scope %j", (prompt) => {
  expect(() => requestedScope(prompt)).toThrow(/scope: unknown scope/);
});
