import type { Tx } from "../../database/index.ts";
import { withTimeout } from "../../shared/async.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { lastEventSeq } from "../events/event.queries.ts";
import { findContradicted, findContradicting } from "../learned/find-contradicted.ts";
import { leftAtThat, type SaidSince, saidSince } from "../promotion/claim-events.ts";
import { moveSweepMark, readSweepMark } from "../promotion/sweep-mark.ts";
import type { FartherMemory } from "../search/prepare-context.ts";
import { isSettled } from "./label-contradiction.ts";
import type { SweptMemory } from "./swept-memory.ts";

/** Events of each side that one step looks at: it takes some tens of milliseconds, and others get a turn. */
const AT_ONCE = 50;
/** A step does not wait longer for a farther layer; milliseconds. */
const PATIENCE_MS = 5_000;

export interface SweptStep {
  /** Whether there was something to look at. */
  readonly isMore: boolean;
  /** Labels that were added. */
  readonly found: number;
}

/**
 * Holds what was said since the last step against the other memory, on both sides, and labels in the nearer one
 * what contradicts. The farther layer is only read. A step that is cut off is done again, and adds nothing twice.
 */
export async function sweepStep(nearer: SweptMemory, layer: FartherMemory): Promise<SweptStep> {
  const { mark, own } = await nearer.readHere(async (tx) => {
    const found = await readSweepMark(tx, layer.name);
    return { mark: found, own: await saidBehind(tx, found.own) };
  });
  const read = <T>(body: (tx: Tx) => Promise<T>) =>
    withTimeout({ patienceMs: PATIENCE_MS }, () => layer.readHere(body));
  const farther = await read((tx) => saidBehind(tx, mark.farther));
  if (!own.isMore && !farther.isMore) return { isMore: false, found: 0 };
  const claims = { own: own.claims, farther: farther.claims };
  const contradicted =
    claims.own.length === 0 ? [] : await read((tx) => findContradicted(tx, claims.own));
  const contradicting =
    claims.farther.length === 0
      ? []
      : await nearer.readHere((tx) => findContradicting(tx, claims.farther));
  const pairs = [
    ...claims.own.flatMap((held, n) => (contradicted[n] ?? []).map((other) => ({ held, other }))),
    ...claims.farther.flatMap((other, n) =>
      (contradicting[n] ?? []).map((held) => ({ held, other })),
    ),
  ];
  const found = await label(nearer, layer.name, pairs);
  await nearer.writeHere((tx) =>
    moveSweepMark(tx, layer.name, {
      from: mark,
      to: {
        own: own.through,
        farther: farther.through,
        held: mark.held + claims.own.length + claims.farther.length,
      },
    }),
  );
  return { isMore: true, found };
}

/** A memory that was put back to an earlier moment numbers its events anew from there: it is looked at again. */
async function saidBehind(tx: Tx, mark: number): Promise<SaidSince & { readonly isMore: boolean }> {
  const through = (await lastEventSeq(tx)) < mark ? 0 : mark;
  const said = await saidSince(tx, through, AT_ONCE);
  return { through, claims: [], ...said, isMore: said !== undefined };
}

interface Pair {
  /** Of the nearer memory. */
  readonly held: EpisodeRecord;
  readonly other: EpisodeRecord;
}

/** What others write after this was read, the label itself looks at. */
async function label(nearer: SweptMemory, layer: string, pairs: readonly Pair[]): Promise<number> {
  const ids = [...new Set(pairs.map(({ held }) => held.id))];
  const left = await nearer.readHere((tx) => leftAtThat(tx, ids));
  let added = 0;
  for (const { held, other } of pairs) {
    if (isSettled(held, left.get(held.id), { layer, other: other.id })) continue;
    if (await nearer.label(held.id, layer, other.id)) added += 1;
  }
  return added;
}
