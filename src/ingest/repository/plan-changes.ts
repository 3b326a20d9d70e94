import type { EpisodeRecord } from "../../memory/index.ts";
import { entityKey, isSame, type MemoryItem, wordsOf } from "./memory-item.ts";
import { type MemoryView, pairOf, REPOSITORY } from "./memory-view.ts";

/** One op of a changeset. */
type Op = Readonly<Record<string, unknown>> & { readonly op: string };

export interface PlannedChanges {
  readonly ops: readonly Op[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface Wanted {
  readonly items: ReadonlyMap<string, MemoryItem>;
  readonly base: ReadonlyMap<string, MemoryItem>;
  /** The file of an item, below the folder of the project. */
  readonly pathOf: (id: string) => string;
}

const CLAIMS: readonly string[] = ["fact", "decision", "preference", "observation"];

export function planChanges(view: MemoryView, { items, base, pathOf }: Wanted): PlannedChanges {
  const ops: Op[] = [];
  const [added, changed, removed]: [string[], string[], string[]] = [[], [], []];
  const references = new Map([...view.episodes].map(([id, episode]) => [id, claimOf(episode)]));
  const make = (item: MemoryItem) => {
    ops.push(rememberOp(item, pathOf(item.id)));
    references.set(item.id, `$${nameOf(item.id)}`);
  };
  for (const [id, item] of items) {
    if (view.withheld.has(id)) continue;
    const [now, episode] = [view.items.get(id), view.episodes.get(id)];
    if (now === undefined || episode === undefined) {
      make(item);
      added.push(id);
    } else if (!isSame(withoutDisputes(now), withoutDisputes(item))) {
      changed.push(id);
      if (isNewClaim(now, item)) {
        make(item);
        ops.push(...replaceOps(episode, now, `$${nameOf(id)}`, item));
      } else ops.push(updateOp(episode, now, item));
    }
  }
  const pairs = pairsOf(items);
  for (const [id, now] of view.items) {
    const episode = view.episodes.get(id);
    if (items.has(id) || episode === undefined) continue;
    removed.push(id);
    const winner = winnerOver(id, { base, items });
    const reference = winner && references.get(winner);
    const isSettled = reference !== undefined && CLAIMS.includes(now.type);
    ops.push(
      isSettled ? supersedeOp(claimOf(episode), reference) : { op: "delete", id: episode.id },
    );
  }
  for (const pair of pairs) {
    const [a = "", b = ""] = pair.split(" ");
    const both = [items.get(a), items.get(b)];
    if (view.conflicts.has(pair) || !both.every((one) => one && CLAIMS.includes(one.type)))
      continue;
    const description = "The files of the repository say both.";
    ops.push({ op: "conflict", fact_a: references.get(a), fact_b: references.get(b), description });
  }
  for (const [pair, id] of view.conflicts) {
    const isThere = pair.split(" ").every((one) => items.has(one) && !changed.includes(one));
    if (!isThere || pairs.has(pair)) continue;
    ops.push({ op: "dismiss", conflict_id: id, note: "Settled in the files of the repository." });
  }
  return { ops, added, changed, removed };
}

export function proposeOp(item: MemoryItem, path: string): Op {
  const { op: _op, as: _as, source_ref: source, ...draft } = rememberOp(item, path);
  return {
    ...draft,
    op: "propose",
    reason: `${String(source)} says so, and the folder is not trusted: cairn trust.`,
  };
}

const nameOf = (id: string) => `i_${id}`;

/** What `supersede` and `conflict` call it. */
const claimOf = ({ id, fact_id: fact }: EpisodeRecord) => fact ?? id;

const withoutDisputes = (item: MemoryItem): MemoryItem => ({ ...item, disputes: [] });

function rememberOp(
  { id, type, content, entities, labels, by, at, ref }: MemoryItem,
  path: string,
): Op {
  return {
    ...{ op: "remember", as: nameOf(id), content, episode_type: type, entities, labels },
    ...(by !== undefined && { asserted_by: by }),
    ...(at !== undefined && { occurred_at: at }),
    ...{ source_type: REPOSITORY, source_ref: path },
    metadata: { repository: { id, path, ...(ref !== undefined && { ref }) } },
  };
}

/** True if it says something else than before, or what an update cannot change. */
function isNewClaim(now: MemoryItem, item: MemoryItem): boolean {
  if (now.by !== item.by || now.ref !== item.ref) return true;
  if (now.type !== item.type && (now.type === "fact" || item.type === "fact")) return true;
  return CLAIMS.includes(now.type) && wordsOf(now.content) !== wordsOf(item.content);
}

function replaceOps(episode: EpisodeRecord, now: MemoryItem, by: string, item: MemoryItem): Op[] {
  const isClaim = CLAIMS.includes(now.type) && CLAIMS.includes(item.type);
  return [isClaim ? supersedeOp(claimOf(episode), by) : { op: "delete", id: episode.id }];
}

function supersedeOp(old: string, winner: string): Op {
  return { op: "supersede", old, new: winner, note: "Changed in the files of the repository." };
}

function updateOp(episode: EpisodeRecord, now: MemoryItem, item: MemoryItem): Op {
  const keys = (list: readonly string[]) => JSON.stringify(list.map(entityKey).sort());
  return {
    ...{ op: "update", id: episode.id },
    ...(now.content !== item.content && { content: item.content }),
    ...(now.type !== item.type && { episode_type: item.type }),
    ...(keys(now.entities) !== keys(item.entities) && { entities: item.entities }),
    ...(String(now.labels) !== String(item.labels) && { labels: item.labels }),
    ...(now.at !== item.at && item.at !== undefined && { occurred_at: item.at }),
  };
}

/** The item that it disputed and that is there still: that one won. */
function winnerOver(
  id: string,
  { base, items }: Pick<Wanted, "base" | "items">,
): string | undefined {
  const others = [...base].flatMap(([other, { disputes }]) => {
    if (other === id) return disputes;
    return disputes.includes(id) ? [other] : [];
  });
  return others.find((other) => items.has(other));
}

function pairsOf(items: ReadonlyMap<string, MemoryItem>): Set<string> {
  return new Set(
    [...items].flatMap(([id, { disputes }]) => disputes.map((other) => pairOf(id, other))),
  );
}
