import type { Seed } from "./seed.ts";

/** What the best of a session lends to each of its members: it is about the same. */
const SESSION_SHARE = 0.5;

/** What an episode lends to its session. */
export interface Lending {
  /** Number of the episode. */
  readonly from: number;
  readonly amount: number;
}

/**
 * For each session half of its best text match and half of its best vector match: they may be
 * different turns, as a question and its answer are.
 */
export function sessionHubs(seeds: Iterable<Seed>): Map<string, readonly Lending[]> {
  const hubs = new Map<string, { text: Lending; vector: Lending }>();
  for (const { number, session, text, vector, tokens } of seeds) {
    if (session === null) continue;
    const own = {
      text: { from: number, amount: SESSION_SHARE * text },
      vector: { from: number, amount: SESSION_SHARE * (vector + tokens) },
    };
    const known = hubs.get(session) ?? own;
    hubs.set(session, {
      text: larger(known.text, own.text),
      vector: larger(known.vector, own.vector),
    });
  }
  return new Map(
    Array.from(hubs, ([session, { text, vector }]) => [
      session,
      [text, vector].filter(({ amount }) => amount > 0),
    ]),
  );
}

function larger(known: Lending, other: Lending): Lending {
  return other.amount > known.amount ? other : known;
}
