// @module-tag long: random calls through every surface.
import { it } from "vitest";
import { patiently } from "../support/patiently.ts";
import { expectSameState } from "./same-state.ts";

it(
  "random calls through random surfaces leave the same state",
  { timeout: patiently(60_000) },
  () => expectSameState(3),
);
