import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Agreement, agreementOf, gitEvidence } from "./git-evidence.ts";
import { knownRepositories } from "./git-ids.ts";

/** A memory that may be of the project in a folder, which has moved or was cloned anew. */
export interface Adoptable {
  readonly database: string;
  /** Where its project was last seen. */
  readonly folder: string;
  /** Whether it is there still: the memory would belong to two folders. */
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

/** What is known of other projects that speaks for this one, the best first. */
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

/** Nothing speaks against it, and nothing else speaks for another one. */
export function surelyAdoptable(found: readonly Adoptable[]): Adoptable | undefined {
  const [best, second] = found;
  if (best === undefined || weightOf(best) < SURE) return undefined;
  return second !== undefined && weightOf(second) === weightOf(best) ? undefined : best;
}

/** Both agree, and the folder where it was is gone. */
const SURE = 5;

function weightOf({ agreement, isThere }: Adoptable): number {
  return 2 * agreement.length + (isThere ? 0 : 1);
}

function folderOf(common: string): string {
  return basename(common) === ".git" ? dirname(common) : common;
}
