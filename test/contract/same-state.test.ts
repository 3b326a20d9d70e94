import { it } from "vitest";
import { expectSameState } from "./same-state.ts";

it("random calls through random surfaces leave the same state", { timeout: 60_000 }, () =>
  expectSameState(3),
);
