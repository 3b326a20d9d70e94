import { MISTAKES } from "../../test/agent/edits/mistakes.ts";
import { tryMistake } from "../../test/agent/edits/try-mistake.ts";
import { openToolBench } from "../../test/agent/support/tool-bench.ts";
import { printTable } from "../support/print-table.ts";

/** Counts how the edit tools handle the typical editing mistakes of models. */
const bench = await openToolBench();
const counts = new Map<string, Map<string, number>>();
for (const mistake of MISTAKES) {
  const { verdict } = await tryMistake(bench, mistake);
  const ofMode = counts.get(mistake.mode) ?? new Map<string, number>();
  ofMode.set(verdict, (ofMode.get(verdict) ?? 0) + 1);
  counts.set(mistake.mode, ofMode);
}
await bench.close();
const VERDICTS = ["applied right", "refused helpfully", "refused badly", "applied wrong"];
printTable(
  ["edit mode", ...VERDICTS],
  [...counts].map(([mode, ofMode]) => [
    mode,
    ...VERDICTS.map((verdict) => String(ofMode.get(verdict) ?? 0)),
  ]),
);
