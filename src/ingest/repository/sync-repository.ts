import { realpathSync } from "node:fs";
import { type ExecuteOptions, type Memory, parseEntity } from "../../memory/index.ts";
import { stateConflict } from "../../shared/errors.ts";
import { gitOutputSync } from "../../shared/safe-git.ts";
import {
  collectVersions,
  type FileChange,
  layOutFiles,
  MEMORY_FOLDER,
  type MemoryFile,
  readFolder,
  writeChanges,
} from "./memory-folder.ts";
import {
  loadView,
  type MemoryView,
  type PlannedChanges,
  planChanges,
  proposeOp,
} from "./memory-view.ts";
import { deriveId, isSame, type MemoryItem, mergeAll, normalizeWords } from "./merge-item.ts";
import { readText, type Section } from "./read-text.ts";
import { readState, type SyncState, stateFile, whileLocked, writeState } from "./sync-state.ts";

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Returns the HEAD commit; undefined outside a repository or before the first commit. */
function resolveHead(folder: string): string | undefined {
  return git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"])?.trim();
}

/** Returns the head of an unfinished merge, cherry-pick or rebase, if any. */
function findUnmergedHead(folder: string): string | undefined {
  for (const name of ["MERGE_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD"]) {
    const commit = git(folder, ["rev-parse", "--verify", "--quiet", name])?.trim();
    if (commit !== undefined && commit !== "") return commit;
  }
  return undefined;
}

/** Returns the merge base; undefined if there is none or a commit is unknown. */
function findMergeBase(folder: string, one: string, other: string): string | undefined {
  return git(folder, ["merge-base", one, other])?.trim() || undefined;
}

function readTextsAt(folder: string, commit: string, path: string): string[] {
  const rows = git(folder, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", path]) ?? "";
  const blobs = rows
    .split("\0")
    .flatMap((row) => /^100\d+ blob ([0-9a-f]+)\t/.exec(row)?.[1] ?? []);
  return blobs.map((blob) => git(folder, ["cat-file", "blob", blob]) ?? "");
}

function git(cwd: string, args: readonly string[]): string | undefined {
  return gitOutputSync(args, { cwd, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES });
}

function bindSections(files: readonly MemoryFile[], view: MemoryView, state: SyncState) {
  const bound = new Map(state.bound);
  const ids = new Map<Section, string>();
  const inFiles = new Set(
    files.flatMap(({ sections }) => sections.flatMap(({ item }) => item.id ?? [])),
  );
  const free = new Map<string, string>();
  for (const [id, episode] of view.episodes) {
    if (!inFiles.has(id) && !state.base.has(id))
      free.set(getWording(episode.episode_type, episode.content), id);
  }
  const used = new Set(inFiles);
  for (const { sections } of files) {
    for (const section of sections) {
      const { id, type, content } = section.item;
      const wording = getWording(type, content);
      const same = free.get(wording);
      if (id === undefined) {
        let newId = same ?? deriveId(type, content);
        for (let attempt = 1; used.has(newId) && newId !== same; attempt++)
          newId = deriveId(type, content, String(attempt));
        used.add(newId);
        ids.set(section, newId);
      } else {
        ids.set(section, id);
        const episode = same === undefined ? undefined : view.episodes.get(same);
        if (view.episodes.has(id) || episode === undefined) continue;
        bound.set(episode.id, id);
      }
      free.delete(wording);
    }
  }
  return { bound, idOf: (section: Section) => ids.get(section) ?? "" };
}

const getWording = (type: string, content: string) =>
  `${type} ${normalizeWords(content) || content}`;

export interface SyncOptions {
  readonly root: string;
  readonly dataDir: string;
  readonly database: string;
  readonly types: readonly string[];
  readonly leave: readonly string[];
  /** True if statements in the files count as the user's own. */
  readonly isTrusted: boolean;
  readonly isDry: boolean;
  /** Allows deleting most of the memory. */
  readonly mayEmpty: boolean;
  readonly execute?: ExecuteOptions;
}

export interface SyncResult {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly proposed: readonly string[];
  readonly disputed: readonly string[];
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Items not exported: private or containing a secret. */
  readonly withheld: number;
  readonly change: string | null;
}

const SMALL_MEMORY_ITEMS = 5;

/**
 * Syncs a memory and a repository's files in both directions. Conflicting statements are both
 * stored and reported as a conflict. Invalid files abort the sync without changes.
 */
export async function syncRepository(memory: Memory, options: SyncOptions): Promise<SyncResult> {
  const folder = realpathSync(options.root);
  const file = stateFile({ ...options, folder });
  return whileLocked(file, () => syncFolder(memory, file, options));
}

async function syncFolder(
  memory: Memory,
  stateAt: string,
  options: SyncOptions,
): Promise<SyncResult> {
  const { root, isTrusted, isDry } = options;
  const state = readState(stateAt);
  const types = (await memory.execute("episode_types", {})).episode_types;
  const files = readFolder(root, types);
  checkEntities(files);
  const sections = files.flatMap((one) => one.sections);
  const values = new Set(sections.flatMap(({ item }) => item.id ?? []));
  const known = new Set([...values, ...state.base.keys()]);
  const request = { known, types: options.types, leave: options.leave };
  const before = await loadView(memory, { ...request, bound: state.bound });
  const { idOf, bound } = bindSections(files, before, state);
  const view = await loadView(memory, {
    ...request,
    known: new Set([...known, ...sections.map(idOf)]),
    bound,
  });
  const found = collectVersions(
    sections.map((section) => ({ ...section.item, id: idOf(section) })),
  );
  if (!isTrusted) requireOneVersion(found);
  const head = resolveHead(root);
  const fork = readFilesAtFork(state, head, { root, types });
  const isSplit = [...found.values()].some(({ length }) => length > 1);
  const unmerged = isSplit ? readFilesAtMerge(head, { root, types }) : undefined;
  const accepted = isTrusted ? found : selectAgreed(found, view, state);
  const merged = mergeAll({
    base: state.base,
    memory: view.items,
    files: accepted,
    fork: isTrusted ? fork : new Map(),
    unmerged,
  });
  const paths = new Map(
    files.flatMap(({ path, sections: own }) => own.map((one) => [idOf(one), path])),
  );
  const pathOf = (id: string) => paths.get(id) ?? MEMORY_FOLDER;
  const plan = planChanges(view, { items: merged.items, base: state.base, pathOf });
  requireNotEmpty(plan, view, options);
  const pendingApproval = isTrusted ? [] : findNewStatements(sections, { view, state, idOf });
  const ops = [...plan.ops, ...pendingApproval.map((item) => proposeOp(item, pathOf(item.id)))];
  const { change, made } = isDry
    ? { change: null, made: [] }
    : await applyOps(memory, ops, options);
  const boundNow = new Map([...bound, ...made]);
  const isLeft = (section: Section) =>
    !isTrusted &&
    !isSame(
      { ...section.item, id: "" },
      { ...(view.items.get(idOf(section)) ?? EMPTY_ITEM), id: "" },
    );
  const after = isDry
    ? view
    : await loadView(memory, {
        ...request,
        known: new Set([...known, ...merged.items.keys()]),
        bound: boundNow,
      });
  const items = isDry ? merged.items : withSpelling(after.items, merged.items);
  const published = withoutWithheld(items, after);
  const changes = layOutFiles(files, { items: published, idOf, isLeft });
  if (!isDry) {
    writeChanges(root, changes);
    const agreed = isTrusted ? published : selectAgreedItems(published, { found, state });
    const episodes = [...after.episodes].map(([id, episode]) => [episode.id, id] as const);
    writeState(stateAt, {
      ...(head !== undefined && { head }),
      base: agreed,
      bound: new Map(episodes),
    });
  }
  return {
    ...{ added: plan.added, changed: plan.changed, removed: plan.removed },
    proposed: pendingApproval.map(({ id }) => id),
    disputed: [...merged.disputed.keys()],
    written: getPaths(changes, (text) => text !== undefined),
    deleted: getPaths(changes, (text) => text === undefined),
    withheld: after.withheld.size,
    change,
  };
}

const EMPTY_ITEM: MemoryItem = {
  id: "",
  type: "",
  content: "",
  entities: [],
  labels: [],
  disputes: [],
};

const getPaths = (changes: readonly FileChange[], passes: (text: string | undefined) => boolean) =>
  changes.flatMap(({ path, text }) => (passes(text) ? [path] : []));

function checkEntities(files: readonly MemoryFile[]): void {
  const issues = files.flatMap(({ path, sections }) =>
    sections.flatMap(({ line, item }) =>
      item.entities.flatMap((entity) => {
        try {
          parseEntity(entity);
          return [];
        } catch (error) {
          return [
            `${path}:${line}: entity: ${error instanceof Error ? error.message : String(error)}`,
          ];
        }
      }),
    ),
  );
  if (issues.length > 0)
    throw stateConflict(
      `Nothing was changed because these lines are invalid:\n${issues.join("\n")}`,
    );
}

/** Prevents a moved folder from deleting the memory. */
function requireNotEmpty(
  { removed }: PlannedChanges,
  view: MemoryView,
  { mayEmpty, isDry }: SyncOptions,
): void {
  if (
    mayEmpty ||
    isDry ||
    removed.length <= SMALL_MEMORY_ITEMS ||
    removed.length * 2 <= view.items.size
  )
    return;
  throw stateConflict(
    `The files lack ${removed.length} of the ${view.items.size} items in the memory, so the sync would delete them. To delete them, run \`cairn sync --delete\`; otherwise restore ${MEMORY_FOLDER}.`,
  );
}

async function applyOps(memory: Memory, ops: readonly object[], { execute = {} }: SyncOptions) {
  if (ops.length === 0) return { change: null, made: [] };
  let change: string | null = null;
  const onChange = (id: string) => {
    change = id;
  };
  const changeset = JSON.stringify(ops);
  const { results } = await memory.execute("apply", { changeset }, { ...execute, onChange });
  const created = results.flatMap(({ ref, id }) =>
    ref?.startsWith("i_") && id !== undefined ? [[id, ref.slice("i_".length)] as const] : [],
  );
  return { change, made: created };
}

function withSpelling(
  items: ReadonlyMap<string, MemoryItem>,
  written: ReadonlyMap<string, MemoryItem>,
) {
  return new Map(
    [...items].map(([id, item]) => {
      const before = written.get(id);
      return [id, before !== undefined && isSame(before, item) ? before : item];
    }),
  );
}

function withoutWithheld(items: ReadonlyMap<string, MemoryItem>, { withheld }: MemoryView) {
  return new Map([...items].filter(([id]) => !withheld.has(id)));
}

/** Read-only check that the files match the memory. */
export function checkFolder(
  root: string,
  types: readonly string[],
): { readonly files: number; readonly items: number } {
  const files = readFolder(root, types);
  checkEntities(files);
  const marked = files.filter(({ text }) => /^<{7} /m.test(text));
  if (marked.length > 0)
    throw stateConflict(
      `Conflict markers in ${marked.map(({ path }) => path).join(", ")}. \`cairn sync\` imports both sides.`,
    );
  return {
    files: files.length,
    items: files.reduce((sum, { sections }) => sum + sections.length, 0),
  };
}

function readFilesAtFork(
  { head: before, base }: SyncState,
  now: string | undefined,
  { root, types }: FilesRead,
): ReadonlyMap<string, readonly MemoryItem[]> | undefined {
  const isSame = before === undefined || now === undefined || before === now;
  if (base.size === 0 || isSame) return undefined;
  const fork = findMergeBase(root, before, now);
  return fork === before ? undefined : readItemsAt(fork, { root, types });
}

/** Returns the files at the merge base of an unfinished merge. */
function readFilesAtMerge(
  now: string | undefined,
  { root, types }: FilesRead,
): ReadonlyMap<string, readonly MemoryItem[]> | undefined {
  const other = now === undefined ? undefined : findUnmergedHead(root);
  if (now === undefined || other === undefined) return undefined;
  return readItemsAt(findMergeBase(root, now, other), { root, types });
}

interface FilesRead {
  readonly root: string;
  readonly types: readonly string[];
}

function readItemsAt(commit: string | undefined, { root, types }: FilesRead) {
  const texts = commit === undefined ? [] : readTextsAt(root, commit, MEMORY_FOLDER);
  return collectVersions(
    texts.flatMap((text) => readText(text, types).sections.map(({ item }) => item)),
  );
}

/** Throws conflict if an item occurs twice, since either version could be meant. */
function requireOneVersion(found: ReadonlyMap<string, readonly MemoryItem[]>): void {
  const duplicate = [...found].find(([, versions]) => versions.length > 1);
  if (duplicate === undefined) return;
  throw stateConflict(
    `${duplicate[0]} occurs twice in ${MEMORY_FOLDER}, or has conflict markers. Resolve it, or trust the folder: cairn trust.`,
  );
}

function selectAgreed(
  found: ReadonlyMap<string, readonly MemoryItem[]>,
  view: MemoryView,
  { base }: SyncState,
) {
  return new Map(
    [...found].flatMap(([id, versions]) => {
      const now = view.items.get(id) ?? base.get(id);
      const same = versions.filter((version) => now !== undefined && isSame(version, now));
      return same.length === 0 ? [] : [[id, same] as const];
    }),
  );
}

function findNewStatements(
  sections: readonly Section[],
  {
    view,
    state,
    idOf,
  }: {
    readonly view: MemoryView;
    readonly state: SyncState;
    readonly idOf: (section: Section) => string;
  },
): MemoryItem[] {
  return sections.flatMap((section) => {
    const id = idOf(section);
    const now = view.items.get(id);
    const known = [now, state.base.get(id)].some((one) => one?.content === section.item.content);
    return known || view.withheld.has(id) ? [] : [{ ...section.item, id }];
  });
}

function selectAgreedItems(
  published: ReadonlyMap<string, MemoryItem>,
  {
    found,
    state,
  }: { readonly found: ReadonlyMap<string, readonly MemoryItem[]>; readonly state: SyncState },
) {
  const agreed = new Map<string, MemoryItem>();
  for (const [id, item] of published) {
    const [version] = found.get(id) ?? [];
    const isAgreed = version === undefined || isSame(version, item);
    const before = isAgreed ? item : state.base.get(id);
    if (before !== undefined) agreed.set(id, before);
  }
  return agreed;
}
