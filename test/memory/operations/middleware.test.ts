import { expect, it } from "vitest";
import { createOperations } from "../../../src/memory/index.ts";
import {
  type Call,
  type Middleware,
  runMiddleware,
} from "../../../src/memory/operations/middleware.ts";
import { OWNER } from "../../../src/shared/caller.ts";

const operation = createOperations().get("stats");
if (operation === undefined) throw new Error("There is no operation stats.");
const call = (): Call => ({ operation, input: {}, options: { caller: OWNER } });

it("runs the first middleware outermost", async () => {
  const steps: string[] = [];
  const named =
    (name: string): Middleware =>
    async (_call, next) => {
      steps.push(`${name} begins`);
      const output = await next();
      steps.push(`${name} ends`);
      return output;
    };
  const answer: Middleware = async () => "answer";
  expect(await runMiddleware([named("a"), named("b"), answer], call())).toBe("answer");
  expect(steps).toEqual(["a begins", "b begins", "b ends", "a ends"]);
});

it("allows a middleware to change or end the call", async () => {
  const change: Middleware = (one, next) => {
    one.input = { limit: 3 };
    return next();
  };
  expect(await runMiddleware([change, async ({ input }) => input], call())).toEqual({ limit: 3 });
  const refuse: Middleware = async () => {
    throw new Error("refused");
  };
  const unreached: Middleware = async () => expect.unreachable();
  await expect(runMiddleware([refuse, unreached], call())).rejects.toThrow("refused");
});

it("rejects a chain whose last middleware calls next", async () => {
  const passOn: Middleware = (_call, next) => next();
  await expect(async () => runMiddleware([passOn], call())).rejects.toThrow("must answer the call");
});
