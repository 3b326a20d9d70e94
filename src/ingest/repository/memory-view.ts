import { type EpisodeRecord, findSecrets, type Memory } from "../../memory/index.ts";
import {
  deriveId,
  entityKey,
  isSame,
  type MemoryItem,
  normalizeWords,
  sortUnique,
} from "./merge-item.ts";

export interface MemoryView {
  readonly items: ReadonlyMap<string, MemoryItem>;
  /** Episode by item, including withheld items. */
  readonly episodes: ReadonlyMap<string, EpisodeRecord>;
  /** Items that are never exported: private or containing a secret. */
  readonly withheld: ReadonlySet<string>;
  /** Open conflicts, keyed by the ids of both items. */
  readonly conflicts: ReadonlyMap<string, string>;
}

export interface ViewRequest {
  /** Previously assigned item ids by episode. */
  readonly bound: ReadonlyMap<string, string>;
  /** Ids that are or ever were in the files. */
  readonly known: ReadonlySet<string>;
  /** Types exported by default. */
  readonly types: readonly string[];
  /** Labels (`key` or `key=value`) whose items are never exported. */
  readonly leave: readonly string[];
}

export const getPair = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`);

export async function loadView(memory: Memory, request: ViewRequest): Promise<MemoryView> {
  const all = await allEpisodes(memory);
  const ids = collectNamedIds(all, request);
  const episodes = new Map<string, EpisodeRecord>();
  const withheld = new Set<string>();
  const items = new Map<string, MemoryItem>();
  for (const [id, episode] of ids) {
    const isIntended = request.known.has(id) || request.types.includes(episode.episode_type);
    if (!isIntended) continue;
    episodes.set(id, episode);
    if (await isWithheld(episode, request.leave)) withheld.add(id);
    else items.set(id, createItem(episode, id));
  }
  const conflicts = await loadConflicts(memory, ids, items);
  for (const pair of conflicts.keys()) {
    const [first = "", second = ""] = pair.split(" ");
    const item = items.get(second);
    if (item !== undefined) {
      items.set(second, { ...item, disputes: sortUnique([...item.disputes, first]) });
    }
  }
  return { items, episodes, withheld, conflicts };
}

const BATCH_SIZE = 500;

async function allEpisodes(memory: Memory): Promise<EpisodeRecord[]> {
  const all: EpisodeRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await memory.execute("list_episodes", { limit: BATCH_SIZE, cursor });
    all.push(...page.episodes);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return all;
}

function collectNamedIds(
  all: readonly EpisodeRecord[],
  { bound, known }: ViewRequest,
): Map<string, EpisodeRecord> {
  const before = new Map<string, EpisodeRecord[]>();
  for (const episode of all) {
    if (episode.replaced_by === undefined) continue;
    before.set(episode.replaced_by, [...(before.get(episode.replaced_by) ?? []), episode]);
  }
  const own = (episode: EpisodeRecord) =>
    bound.get(episode.id) ?? readItemId(episode) ?? createItemId(episode);
  const ids = new Map<string, EpisodeRecord>();
  const holding = all.filter(({ valid_to: end }) => end === undefined).sort(byNumber);
  const addItem = (id: string, episode: EpisodeRecord) => {
    if (ids.has(id)) return false;
    ids.set(id, episode);
    return true;
  };
  const others = holding.filter(
    (episode) => !known.has(own(episode)) || !addItem(own(episode), episode),
  );
  for (const episode of others) {
    const former = findFormer(episode, before).map(own);
    const inherited = former.find((id) => known.has(id) && !ids.has(id));
    if (inherited !== undefined) addItem(inherited, episode);
    else if (!addItem(own(episode), episode)) addItem(createItemId(episode), episode);
  }
  return ids;
}

function findFormer(
  episode: EpisodeRecord,
  before: ReadonlyMap<string, readonly EpisodeRecord[]>,
): EpisodeRecord[] {
  const found: EpisodeRecord[] = [];
  const next = [episode];
  for (let one = next.shift(); one !== undefined; one = next.shift()) {
    const former = [...(before.get(one.id) ?? [])]
      .filter((each) => !found.includes(each))
      .sort(byNumber);
    found.push(...former);
    next.push(...former);
  }
  return found;
}

const byNumber = (a: EpisodeRecord, b: EpisodeRecord) => getNumber(a) - getNumber(b);
const getNumber = ({ id }: EpisodeRecord) => Number(id.slice(id.indexOf(":") + 1));

function readItemId({ metadata }: EpisodeRecord): string | undefined {
  const id = readRepository(metadata)?.id;
  return typeof id === "string" ? id : undefined;
}

function readRepository(metadata: EpisodeRecord["metadata"]): Record<string, unknown> | undefined {
  const value = metadata?.repository;
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}

function createItemId({ id, created_at: at, asserted_by: by, session }: EpisodeRecord): string {
  return deriveId(id, at, by ?? "", session ?? "");
}

async function isWithheld(
  { labels, content }: EpisodeRecord,
  excluded: readonly string[],
): Promise<boolean> {
  const isLeft = labels.some(
    ({ key, value }) => excluded.includes(key) || excluded.includes(`${key}=${value}`),
  );
  return isLeft || (await findSecrets(content)).length > 0;
}

/** Database ids, which are meaningless in other databases. */
const DATABASE_REFERENCE = /^(?:ep|fact|passage|source|concept|c):/;

export function createItem(episode: EpisodeRecord, id: string): MemoryItem {
  const storedRef = readRepository(episode.metadata)?.ref;
  const ref = episode.source_type === REPOSITORY_SOURCE ? storedRef : episode.source_ref;
  return {
    id,
    type: episode.episode_type,
    content: episode.content.replaceAll("\r\n", "\n"),
    entities: sortUnique(episode.entities),
    labels: sortUnique(episode.labels.map(({ key, value }) => `${key}=${value}`)),
    ...(episode.asserted_by !== null && { by: episode.asserted_by }),
    at: episode.occurred_at ?? episode.created_at,
    ...(typeof ref === "string" && !DATABASE_REFERENCE.test(ref) && { ref }),
    disputes: [],
  };
}

export const REPOSITORY_SOURCE = "repository";

async function loadConflicts(
  memory: Memory,
  ids: ReadonlyMap<string, EpisodeRecord>,
  items: ReadonlyMap<string, MemoryItem>,
): Promise<Map<string, string>> {
  const byEpisode = new Map([...ids].map(([id, episode]) => [episode.id, id]));
  const { conflicts } = await memory.execute("list_conflicts", {});
  return new Map(
    conflicts.flatMap(({ id, fact_a: a, fact_b: b }) => {
      const [first, second] = [byEpisode.get(a.episode_id), byEpisode.get(b.episode_id)];
      if (first === undefined || second === undefined) return [];
      return items.has(first) && items.has(second) ? [[getPair(first, second), id] as const] : [];
    }),
  );
}

type Op = Readonly<Record<string, unknown>> & { readonly op: string };

export interface PlannedChanges {
  readonly ops: readonly Op[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

interface TargetState {
  readonly items: ReadonlyMap<string, MemoryItem>;
  readonly base: ReadonlyMap<string, MemoryItem>;
  readonly pathOf: (id: string) => string;
}

const CLAIM_TYPES: readonly string[] = ["fact", "decision", "preference", "observation"];

export function planChanges(
  view: MemoryView,
  { items, base, pathOf }: TargetState,
): PlannedChanges {
  const ops: Op[] = [];
  const [added, changed, removed]: [string[], string[], string[]] = [[], [], []];
  const references = new Map([...view.episodes].map(([id, episode]) => [id, getClaim(episode)]));
  const make = (item: MemoryItem) => {
    ops.push(rememberOp(item, pathOf(item.id)));
    references.set(item.id, `$${getName(item.id)}`);
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
        ops.push(...replaceOps(episode, now, `$${getName(id)}`, item));
      } else ops.push(updateOp(episode, now, item));
    }
  }
  const pairs = listDisputedPairs(items);
  for (const [id, now] of view.items) {
    const episode = view.episodes.get(id);
    if (items.has(id) || episode === undefined) continue;
    removed.push(id);
    const winner = findSurvivingItem(id, { base, items });
    const reference = winner && references.get(winner);
    const isSettled = reference !== undefined && CLAIM_TYPES.includes(now.type);
    ops.push(
      isSettled ? supersedeOp(getClaim(episode), reference) : { op: "delete", id: episode.id },
    );
  }
  for (const pair of pairs) {
    const [a = "", b = ""] = pair.split(" ");
    const both = [items.get(a), items.get(b)];
    if (view.conflicts.has(pair) || !both.every((one) => one && CLAIM_TYPES.includes(one.type)))
      continue;
    const description = "Both are in the repository's files.";
    ops.push({ op: "conflict", fact_a: references.get(a), fact_b: references.get(b), description });
  }
  for (const [pair, id] of view.conflicts) {
    const isThere = pair.split(" ").every((one) => items.has(one) && !changed.includes(one));
    if (!isThere || pairs.has(pair)) continue;
    ops.push({ op: "dismiss", conflict_id: id, note: "Resolved in the repository's files." });
  }
  return { ops, added, changed, removed };
}

export function proposeOp(item: MemoryItem, path: string): Op {
  const { op: _op, as: _as, source_ref: source, ...draft } = rememberOp(item, path);
  return {
    ...draft,
    op: "propose",
    reason: `Stated in ${String(source)}, whose folder is not trusted: cairn trust.`,
  };
}

const getName = (id: string) => `i_${id}`;

/** Reference used by `supersede` and `conflict`. */
const getClaim = ({ id, fact_id: fact }: EpisodeRecord) => fact ?? id;

const withoutDisputes = (item: MemoryItem): MemoryItem => ({ ...item, disputes: [] });

function rememberOp(
  { id, type, content, entities, labels, by, at, ref }: MemoryItem,
  path: string,
): Op {
  return {
    ...{ op: "remember", as: getName(id), content, episode_type: type, entities, labels },
    ...(by !== undefined && { asserted_by: by }),
    ...(at !== undefined && { occurred_at: at }),
    ...{ source_type: REPOSITORY_SOURCE, source_ref: path },
    metadata: { repository: { id, path, ...(ref !== undefined && { ref }) } },
  };
}

/** True if the change needs a new item instead of an update. */
function isNewClaim(now: MemoryItem, item: MemoryItem): boolean {
  if (now.by !== item.by || now.ref !== item.ref) return true;
  if (now.type !== item.type && (now.type === "fact" || item.type === "fact")) return true;
  return (
    CLAIM_TYPES.includes(now.type) && normalizeWords(now.content) !== normalizeWords(item.content)
  );
}

function replaceOps(episode: EpisodeRecord, now: MemoryItem, by: string, item: MemoryItem): Op[] {
  const isClaim = CLAIM_TYPES.includes(now.type) && CLAIM_TYPES.includes(item.type);
  return [isClaim ? supersedeOp(getClaim(episode), by) : { op: "delete", id: episode.id }];
}

function supersedeOp(old: string, winner: string): Op {
  return { op: "supersede", old, new: winner, note: "Changed in the repository's files." };
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

function findSurvivingItem(
  id: string,
  { base, items }: Pick<TargetState, "base" | "items">,
): string | undefined {
  const others = [...base].flatMap(([other, { disputes }]) => {
    if (other === id) return disputes;
    return disputes.includes(id) ? [other] : [];
  });
  return others.find((other) => items.has(other));
}

function listDisputedPairs(items: ReadonlyMap<string, MemoryItem>): Set<string> {
  return new Set(
    [...items].flatMap(([id, { disputes }]) => disputes.map((other) => getPair(id, other))),
  );
}
