import type { ExecuteOptions } from "./context/execute-options.ts";
import type { Memory } from "./memory.ts";
import type { SourceRecord } from "./sources/source.schema.ts";
import { passageIdsByKey, storedSources } from "./sources/stored-sources.ts";

type Until = Pick<ExecuteOptions, "signal">;

interface OnlyThere {
  readonly id: string;
  readonly text: string;
}

export async function diffSources(
  a: Memory,
  b: Memory,
  until: Until,
): Promise<{ readonly onlyInA: OnlyThere[]; readonly onlyInB: OnlyThere[] }> {
  const [inA, inB] = [await storedIn(a, until), await storedIn(b, until)];
  const onlyInA: OnlyThere[] = [];
  const onlyInB: OnlyThere[] = [];
  for (const name of new Set([...inA.keys(), ...inB.keys()])) {
    const [ofA, ofB] = [inA.get(name), inB.get(name)];
    if (ofA !== undefined && ofB !== undefined && measures(ofA) === measures(ofB)) continue;
    const keysA = await passageIdsByKey(a, ofA, until);
    const keysB = await passageIdsByKey(b, ofB, until);
    onlyInA.push(...only(ofA, countMissing(keysA, keysB)));
    onlyInB.push(...only(ofB, countMissing(keysB, keysA)));
  }
  return { onlyInA, onlyInB };
}

async function storedIn(memory: Memory, until: Until): Promise<Map<string, SourceRecord>> {
  const retained = new Map<string, SourceRecord>();
  for await (const source of storedSources(memory, until)) {
    retained.set(JSON.stringify([source.kind, source.key]), source);
  }
  return retained;
}

const measures = ({ passages, size, first_at: first, last_at: last }: SourceRecord) =>
  JSON.stringify([passages, size, first, last]);

const countMissing = (ours: ReadonlyMap<string, string>, theirs: ReadonlyMap<string, string>) =>
  [...ours.keys()].filter((key) => !theirs.has(key)).length;

function only(source: SourceRecord | undefined, count: number): OnlyThere[] {
  if (source === undefined || count === 0) return [];
  const { id, kind, title, passages } = source;
  const share = count === passages ? "" : ` of ${passages}`;
  return [{ id, text: `${kind}: ${title} (${count}${share} passage(s))` }];
}
