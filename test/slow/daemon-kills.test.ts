import { expect, it } from "vitest";
import { killInTheMiddle } from "../app/daemon/support/kill-in-the-middle.ts";
import { StayingPlace } from "../app/daemon/support/staying-place.ts";
import { builtPackage } from "../support/built-package.ts";

it("writes once although the daemon is killed fifty times", {
  timeout: 1_800_000,
}, async () => {
  const place = new StayingPlace(await builtPackage("kills"));
  await killInTheMiddle(place, 50);
  expect(await place.status()).toBeUndefined();
});
