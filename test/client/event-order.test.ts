import fc from "fast-check";
import { expect, it } from "vitest";
import { EventOrder } from "../../src/client/index.ts";
import type { ServerMessage } from "../../src/server/ui/index.ts";

const event = (seq: number): ServerMessage => ({
  type: "assistant.delta",
  payload: { threadId: "t", seq, runId: "r", text: "a" },
});

it("drops events ahead of a requested replay", () => {
  const order = new EventOrder();
  expect(order.ask()).toBe(0);
  expect(order.classify(event(7))).toBe("known");
  expect([1, 2, 3].map((seq) => order.classify(event(seq)))).toEqual(["next", "next", "next"]);
  expect(order.classify(event(3))).toBe("known");
  expect(order.last).toBe(3);
  expect(order.classify(event(5))).toBe("missing");
});

it("accepts any next event after a reset or a rejected subscription", () => {
  const resync = new EventOrder();
  resync.ask();
  resync.restart();
  expect(resync.classify(event(41))).toBe("next");
  const refused = new EventOrder();
  refused.ask();
  const error = { type: "error", payload: { threadId: "t", message: "It is gone." } } as const;
  expect(refused.classify(error)).toBe("next");
  expect(refused.classify(event(41))).toBe("next");
});

it("delivers each event once and in order across reconnects", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30 }),
      fc.array(fc.constantFrom("emit", "asked", "lost") as fc.Arbitrary<Step>, { maxLength: 60 }),
      (before, steps) => {
        const server = new Server(before);
        const order = new EventOrder();
        const taken: number[] = [];
        const take = (seq: number) => {
          const place = order.classify(event(seq));
          if (place === "next") taken.push(seq);
          if (place === "missing") server.ask(order.ask());
        };
        server.ask(order.ask());
        for (const step of [...steps, "asked", "asked"] as const) {
          if (step === "emit") server.emit().forEach(take);
          if (step === "asked") server.answer().forEach(take);
          if (step === "lost") {
            server.lose();
            server.ask(order.ask());
          }
        }
        expect(taken).toEqual(Array.from({ length: server.last }, (_, index) => index + 1));
      },
    ),
  );
});

type Step = "emit" | "asked" | "lost";

/** Emits each event live, and replays the events after a number on request. */
class Server {
  last: number;
  #asked: number[] = [];

  constructor(last: number) {
    this.last = last;
  }

  ask(since: number): void {
    this.#asked.push(since);
  }

  emit(): readonly number[] {
    this.last += 1;
    return [this.last];
  }

  answer(): readonly number[] {
    const since = this.#asked.shift();
    if (since === undefined) return [];
    return Array.from({ length: this.last - since }, (_, index) => since + index + 1);
  }

  lose(): void {
    this.#asked = [];
  }
}
