import { expect, it } from "vitest";
import { killDuringWrites } from "../app/daemon/support/kill-in-the-middle.ts";
import { DaemonFixture } from "../app/daemon/support/staying-place.ts";
import { builtPackage } from "../support/built-package.ts";

it("writes once although the daemon is killed fifty times", {
  timeout: 1_800_000,
}, async () => {
  const fixture = new DaemonFixture(await builtPackage("kills"));
  await killDuringWrites(fixture, 50);
  expect(await fixture.status()).toBeUndefined();
});
