import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Agreement, agreementOf, gitEvidence } from "./git-evidence.ts";
import { knownRepositories } from "./git-ids.ts";

export interface Adoptable {
  readonly database: string;
  readonly folder: string;
  /** True if it is there still: the memory would belong to two folders. */
  readonly isThere: boolean;
  readonly agreement: readonly Agreement[];
}

interface Project {
  readonly dataDir: string;
  readonly workTree: string;
  readonly common: string;
  /** Database that it has now. */
  readonly database: string;
}

export function adoptable({ dataDir, workTree, common, database }: Project): Adoptable[] {
  const own = gitEvidence(workTree, common);
  if (own === undefined) return [];
  const found = new Map<string, Adoptable>();
  for (const known of Object.values(knownRepositories(dataDir))) {
    if (known.database === database || known.common === common) continue;
    const folder = folderOf(known.common);
    const isThere = existsSync(known.common);
    const evidence = known.evidence ?? (isThere ? gitEvidence(folder, known.common) : undefined);
    const agreement = evidence === undefined ? [] : agreementOf(own, evidence);
    const better = found.get(known.database);
    if (agreement.length <= (better?.agreement.length ?? 0)) continue;
    found.set(known.database, { database: known.database, folder, isThere, agreement });
  }
  return [...found.values()].sort((a, b) => weightOf(b) - weightOf(a));
}

export function surelyAdoptable(found: readonly Adoptable[]): Adoptable | undefined {
  const [best, second] = found;
  if (best === undefined || weightOf(best) < SURE) return undefined;
  return second !== undefined && weightOf(second) === weightOf(best) ? undefined : best;
}

const SURE = 5;

function weightOf({ agreement, isThere }: Adoptable): number {
  return 2 * agreement.length + (isThere ? 0 : 1);
}

function folderOf(common: string): string {
  return basename(common) === ".git" ? dirname(common) : common;
}
