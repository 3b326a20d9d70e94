import { createHash, randomBytes } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";
import {
  type Agreement,
  collectEvidence,
  compareEvidence,
  type GitEvidence,
  type GitFolder,
  gitFolder,
  readSmall,
} from "./git-folder.ts";

/** Stored in the shared git folder: moves with it and is not cloned. */
const ID_FILE = "cairn-id";
const IDS_FILE = "git-ids.json";
const ID_PATTERN = /^[0-9a-f]{32}$/;

export interface KnownRepository {
  readonly database: string;
  readonly common: string;
  readonly evidence?: GitEvidence;
}

export type KnownRepositories = Readonly<Record<string, KnownRepository>>;

export function loadKnownRepositories(dataDir: string): KnownRepositories {
  try {
    const content: unknown = JSON.parse(readSmall(join(dataDir, IDS_FILE)) ?? "{}");
    if (!isPlainObject(content)) return {};
    return Object.fromEntries(
      Object.entries(content).flatMap(([id, value]) => {
        const known = ID_PATTERN.test(id) ? readKnown(value) : undefined;
        return known === undefined ? [] : [[id, known]];
      }),
    );
  } catch {
    return {};
  }
}

function readKnown(value: unknown): KnownRepository | undefined {
  if (!isPlainObject(value)) return undefined;
  const { database, common, evidence } = value;
  if (typeof database !== "string" || typeof common !== "string") return undefined;
  if (!isPlainObject(evidence)) return { database, common };
  return {
    database,
    common,
    evidence: { firsts: filterTexts(evidence.firsts), remotes: filterTexts(evidence.remotes) },
  };
}

function filterTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function repositoryId(common: string): string | undefined {
  const id = readSmall(join(common, ID_FILE))?.trim() ?? "";
  return ID_PATTERN.test(id) ? id : undefined;
}

/** True if the repository known by this id still exists elsewhere. */
export function existsElsewhere(id: string, known: KnownRepository, common: string): boolean {
  if (known.common === common) return false;
  const exists = statSync(known.common, { throwIfNoEntry: false }) !== undefined;
  return exists && repositoryId(known.common) === id;
}

/**
 * Records which database belongs to a repository, so that it is found after a move. A copy gets a
 * new id while the original exists. Throws file system errors.
 */
export function storeRepository(
  dataDir: string,
  { common, database, workTree }: KnownRepository & { readonly workTree: string },
): void {
  const known = loadKnownRepositories(dataDir);
  const carried = repositoryId(common);
  const before = carried === undefined ? undefined : known[carried];
  const isKnown = carried !== undefined && before !== undefined;
  const isSame = isKnown && before.common === common && before.database === database;
  const evidence = before?.evidence ?? collectEvidence(workTree, common);
  if (isSame && evidence === before.evidence) return;
  const isCopy = isKnown && existsElsewhere(carried, before, common);
  const id = carried === undefined || isCopy ? randomBytes(16).toString("hex") : carried;
  if (id !== carried) writeFileAtomic.sync(join(common, ID_FILE), `${id}\n`);
  makeFolder(dataDir);
  const content = `${JSON.stringify({ ...known, [id]: { database, common, evidence } }, null, 2)}\n`;
  writeFileAtomic.sync(join(dataDir, IDS_FILE), content, { mode: 0o600 });
}

export interface Adoptable {
  readonly database: string;
  readonly folder: string;
  /** True if it still exists, so that two folders would share the memory. */
  readonly exists: boolean;
  readonly agreement: readonly Agreement[];
}

interface Project {
  readonly dataDir: string;
  readonly workTree: string;
  readonly common: string;
  readonly database: string;
}

export function findAdoptable({ dataDir, workTree, common, database }: Project): Adoptable[] {
  const own = collectEvidence(workTree, common);
  if (own === undefined) return [];
  const found = new Map<string, Adoptable>();
  for (const known of Object.values(loadKnownRepositories(dataDir))) {
    if (known.database === database || known.common === common) continue;
    const folder = repositoryFolder(known.common);
    const exists = existsSync(known.common);
    const evidence = known.evidence ?? (exists ? collectEvidence(folder, known.common) : undefined);
    const agreement = evidence === undefined ? [] : compareEvidence(own, evidence);
    const better = found.get(known.database);
    if (agreement.length <= (better?.agreement.length ?? 0)) continue;
    found.set(known.database, { database: known.database, folder, exists, agreement });
  }
  return [...found.values()].sort((a, b) => rankWeight(b) - rankWeight(a));
}

export function findSurelyAdoptable(found: readonly Adoptable[]): Adoptable | undefined {
  const [best, second] = found;
  if (best === undefined || rankWeight(best) < SURE_WEIGHT) return undefined;
  return second !== undefined && rankWeight(second) === rankWeight(best) ? undefined : best;
}

const SURE_WEIGHT = 5;

function rankWeight({ agreement, exists }: Adoptable): number {
  return 2 * agreement.length + (exists ? 0 : 1);
}

function repositoryFolder(common: string): string {
  return basename(common) === ".git" ? dirname(common) : common;
}

interface GitDatabase {
  readonly name: string;
  readonly workTree: string;
  /** The git folder shared by all work trees; undefined if it belongs to another repository. */
  readonly common: string | undefined;
  readonly refused?: string;
}

/**
 * Returns the database of the git work tree that contains the folder, shared by all work trees;
 * undefined outside git. Uses the database recorded for the repository's id, else one named after
 * the folder. Reads git's files directly, for speed.
 */
export function gitDatabase(cwd: string, dataDir: string): GitDatabase | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = gitFolder(join(folder, ".git"));
    if (found !== undefined) return chooseDatabase(folder, found, dataDir);
    if (folder === dirname(folder)) return undefined;
  }
}

function chooseDatabase(workTree: string, { common, isMutual }: GitFolder, dataDir: string) {
  if (isMutual) return { name: readStoredName(common, dataDir), workTree, common };
  const own = join(realpathSync(workTree), ".git");
  const refusal =
    `${join(workTree, ".git")} points to ${common}, which does not list this folder as a worktree, so the memory of that repository is not used here.  ` +
    "If the worktree was moved, run `git worktree repair` there; to choose a database explicitly, run `cairn init NAME`.";
  return { name: createName(own), workTree, common: undefined, refused: refusal };
}

function readStoredName(common: string, dataDir: string): string {
  const known = loadKnownRepositories(dataDir);
  const id = repositoryId(common);
  const recorded = id === undefined ? undefined : known[id];
  if (id !== undefined && recorded !== undefined && !existsElsewhere(id, recorded, common))
    return recorded.database;
  const name = createName(common);
  // Another repository had this path and name.
  const holder = Object.entries(known).find(
    ([other, one]) => one.database === name && one.common !== common && other !== id,
  );
  return holder === undefined ? name : createName(common, holder[0]);
}

const HASH_DIGITS = 6;
/** Rest of the 64-character limit. */
const MAX_FOLDER_CHARACTERS = 57;

function createName(common: string, salt = ""): string {
  const folder = basename(common) === ".git" ? dirname(common) : common.replace(/\.git$/, "");
  const hash = createHash("sha256")
    .update(common + salt)
    .digest("hex")
    .slice(0, HASH_DIGITS);
  return `${createDatabaseName(basename(folder)) || "project"}-${hash}`;
}

/** Replaces invalid characters with hyphens; may return an empty string. */
export function createDatabaseName(folder: string): string {
  return folder
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, MAX_FOLDER_CHARACTERS)
    .replace(/-+$/, "");
}
