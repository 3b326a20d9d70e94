import { stateConflict } from "../../shared/errors.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";
import type { MemoryView } from "./memory-view.ts";
import { isSame, type MemoryItem } from "./merge-item.ts";
import type { Section } from "./read-text.ts";
import type { SyncState } from "./sync-state.ts";

/** Throws conflict if an item occurs twice, since either version could be meant. */
export function requireOneVersion(found: ReadonlyMap<string, readonly MemoryItem[]>): void {
  const duplicate = [...found].find(([, versions]) => versions.length > 1);
  if (duplicate === undefined) return;
  throw stateConflict(
    `${duplicate[0]} occurs twice in ${MEMORY_FOLDER}, or has conflict markers. Resolve it, or trust the folder: cairn trust.`,
  );
}

export function onlyAgreed(
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

export function newSayings(
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

export function agreedOn(
  shown: ReadonlyMap<string, MemoryItem>,
  {
    found,
    state,
  }: { readonly found: ReadonlyMap<string, readonly MemoryItem[]>; readonly state: SyncState },
) {
  const agreed = new Map<string, MemoryItem>();
  for (const [id, item] of shown) {
    const [version] = found.get(id) ?? [];
    const isAgreed = version === undefined || isSame(version, item);
    const before = isAgreed ? item : state.base.get(id);
    if (before !== undefined) agreed.set(id, before);
  }
  return agreed;
}
