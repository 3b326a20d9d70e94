import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { makeFolder } from "../shared/files.ts";
import { isPlainObject } from "../shared/json.ts";
import { type GitEvidence, gitEvidence } from "./git-evidence.ts";
import { readSmall } from "./git-folder.ts";

/** In the folder that all work trees share: moves with it, and no clone has it. */
const ID_FILE = "cairn-id";
const IDS_FILE = "git-ids.json";
const ID = /^[0-9a-f]{32}$/;

export interface KnownRepository {
  readonly database: string;
  readonly common: string;
  readonly evidence?: GitEvidence;
}

export type KnownRepositories = Readonly<Record<string, KnownRepository>>;

export function knownRepositories(dataDir: string): KnownRepositories {
  try {
    const content: unknown = JSON.parse(readSmall(join(dataDir, IDS_FILE)) ?? "{}");
    if (!isPlainObject(content)) return {};
    return Object.fromEntries(
      Object.entries(content).flatMap(([id, value]) => {
        const known = ID.test(id) ? readKnown(value) : undefined;
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
    evidence: { firsts: textsOf(evidence.firsts), remotes: textsOf(evidence.remotes) },
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** The id that a repository carries. */
export function repositoryId(common: string): string | undefined {
  const id = readSmall(join(common, ID_FILE))?.trim() ?? "";
  return ID.test(id) ? id : undefined;
}

/** True if the folder that is known under the id is there still, and another one than `common`. */
export function isElsewhere(id: string, known: KnownRepository, common: string): boolean {
  if (known.common === common) return false;
  const there = statSync(known.common, { throwIfNoEntry: false }) !== undefined;
  return there && repositoryId(known.common) === id;
}

/**
 * Keeps which database belongs to a repository, so that it is found when the folder has moved. A copy
 * of a repository that is there still gets an id of its own. Throws what the file system says.
 */
export function keepRepository(
  dataDir: string,
  { common, database, workTree }: KnownRepository & { readonly workTree: string },
): void {
  const known = knownRepositories(dataDir);
  const carried = repositoryId(common);
  const before = carried === undefined ? undefined : known[carried];
  const isKnown = carried !== undefined && before !== undefined;
  const isSame = isKnown && before.common === common && before.database === database;
  const evidence = before?.evidence ?? gitEvidence(workTree, common);
  if (isSame && evidence === before.evidence) return;
  const isCopy = isKnown && isElsewhere(carried, before, common);
  const id = carried === undefined || isCopy ? randomBytes(16).toString("hex") : carried;
  if (id !== carried) writeFileAtomic.sync(join(common, ID_FILE), `${id}\n`);
  makeFolder(dataDir);
  const content = `${JSON.stringify({ ...known, [id]: { database, common, evidence } }, null, 2)}\n`;
  writeFileAtomic.sync(join(dataDir, IDS_FILE), content, { mode: 0o600 });
}
