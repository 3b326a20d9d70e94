import { expect, it } from "vitest";
import { DaemonFixture } from "../app/daemon/support/daemon-fixture.ts";
import { killDuringWrites } from "../app/daemon/support/kill-during-writes.ts";
import { builtPackage } from "../support/built-package.ts";

it("writes once although the daemon is killed fifty times", {
  timeout: 1_800_000,
}, async () => {
  const fixture = new DaemonFixture(await builtPackage("kills"));
  await killDuringWrites(fixture, 50);
  expect(await fixture.status()).toBeUndefined();
});
