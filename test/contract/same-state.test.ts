// @module-tag long: random calls through every surface.
import { it } from "vitest";
import { expectSameState } from "./same-state.ts";

it("random calls through random surfaces leave the same state", { timeout: 180_000 }, () =>
  expectSameState(3),
);
