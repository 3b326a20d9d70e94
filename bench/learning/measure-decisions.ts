import { type Claim, learnFromPassages } from "../../src/ingest/learning/index.ts";
import { HELD, measure } from "../sessions/measure.ts";
import { readBench, type Turn } from "../sessions/tasks.ts";

export interface MeasuredDecisions {
  readonly arm: string;
  readonly tasks: number;
  /** Of the rule's words, so many stand in what was distilled with evidence. */
  readonly held: number;
  readonly coverage: number;
  /** Sessions of which the last holds something that corrects what was said before. */
  readonly superseding: number;
  /** Per conversation of other things. */
  readonly claimsOfDecoys: number;
  readonly correctionsOfDecoys: number;
}

/** What rules alone distil of conversations in which something was decided. */
export async function measureDecisions(
  file: string,
  arm: "conversation" | "amended",
): Promise<MeasuredDecisions> {
  const { tasks, decoys } = readBench(file, arm);
  let held = 0;
  let coverage = 0;
  let superseding = 0;
  for (const task of tasks) {
    const claims = await claimsOf(task.chats.at(-1) ?? []);
    const measured = measure(task, claims.map(({ text }) => text).join("\n"));
    coverage += measured.coverage / tasks.length;
    if (measured.coverage >= HELD) held += 1;
    if (task.chats.length > 1 && claims.some(({ corrects }) => corrects)) superseding += 1;
  }
  const others: Claim[] = [];
  for (const chat of decoys) others.push(...(await claimsOf(chat)));
  return {
    ...{ arm, tasks: tasks.length, held, coverage, superseding },
    claimsOfDecoys: others.length / Math.max(1, decoys.length),
    correctionsOfDecoys: others.filter(({ corrects }) => corrects).length,
  };
}

async function claimsOf(chat: readonly Turn[]): Promise<readonly Claim[]> {
  const passages = chat.map(({ by, text }, index) => ({ id: `passage:${index + 1}`, by, text }));
  const verdicts = await learnFromPassages(passages);
  return verdicts.flatMap(({ verdict, claim }) => (verdict === "accept" ? [claim] : []));
}
