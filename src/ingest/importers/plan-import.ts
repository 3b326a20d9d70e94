import type { Op } from "./op-writer.ts";
import { type ApplyResult, type ImportReport, type ImportWork, runImport } from "./run-import.ts";

export interface ImportPlan {
  readonly ops: readonly Op[];
  readonly report: ImportReport;
}

/** The ops that an import would apply, as one changeset. Nothing is written. */
export async function planImport(work: Omit<ImportWork, "apply">): Promise<ImportPlan> {
  const ops: Op[] = [];
  const collect = (batch: readonly Op[]): Promise<ApplyResult> => {
    ops.push(...batch);
    return Promise.resolve({ success: true, dry_run: true, results: [], errors: [] });
  };
  const report = await runImport({ ...work, apply: collect });
  return { ops, report };
}
