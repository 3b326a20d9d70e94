import { it } from "vitest";
import { expectHarmless } from "../contract/hostile-requests.ts";
import { expectSameState } from "../contract/same-state.ts";
import { serveMemory } from "../support/memory-server.ts";

it("10 000 hostile requests do no harm", { timeout: 900_000 }, async () => {
  const server = await serveMemory();
  await expectHarmless(server, 10_000);
  await server.end();
});

it("many random sequences leave the same state", { timeout: 900_000 }, () => expectSameState(100));
