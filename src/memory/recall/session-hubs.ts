import type { Seed } from "./seed.ts";

/**
 * The share of its best match that a session lends to each member, since all are about the same
 * subject.
 */
const SESSION_WEIGHT = 0.5;

/** The activation that an episode lends to its session. */
export interface Lending {
  /** Number of the episode. */
  readonly from: number;
  readonly amount: number;
}

export interface Hub {
  readonly text: Lending;
  readonly vector: Lending;
}

/**
 * For each session, half of its best text match and half of its best vector match. They may come
 * from different turns, such as a question and its answer.
 */
export function sessionHubs(seeds: Iterable<Seed>): Map<string, Hub> {
  const hubs = new Map<string, Hub>();
  for (const { number, session, text, vector, tokens } of seeds) {
    if (session === null) continue;
    const own = {
      text: { from: number, amount: SESSION_WEIGHT * text },
      vector: { from: number, amount: SESSION_WEIGHT * (vector + tokens) },
    };
    const known = hubs.get(session) ?? own;
    hubs.set(session, {
      text: larger(known.text, own.text),
      vector: larger(known.vector, own.vector),
    });
  }
  return hubs;
}

export function lendingsOf(hub: Hub | undefined): Lending[] {
  return hub === undefined ? [] : [hub.text, hub.vector].filter(({ amount }) => amount > 0);
}

function larger(known: Lending, other: Lending): Lending {
  return other.amount > known.amount ? other : known;
}
