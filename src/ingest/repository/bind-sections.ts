import type { MemoryFile } from "./memory-folder.ts";
import { wordsOf } from "./memory-item.ts";
import type { MemoryView } from "./memory-view.ts";
import { idFrom } from "./merge-item.ts";
import type { Section } from "./read-text.ts";
import type { SyncState } from "./sync-state.ts";

/**
 * Finds the ids of sections that have none, and of episodes that say what stands in a file under an id
 * that nobody knows: the same words of the same type are the same item.
 */
export function bindSections(files: readonly MemoryFile[], view: MemoryView, state: SyncState) {
  const bound = new Map(state.bound);
  const ids = new Map<Section, string>();
  const inFiles = new Set(
    files.flatMap(({ sections }) => sections.flatMap(({ item }) => item.id ?? [])),
  );
  const free = new Map<string, string>();
  for (const [id, episode] of view.episodes) {
    if (!inFiles.has(id) && !state.base.has(id))
      free.set(wordingOf(episode.episode_type, episode.content), id);
  }
  const used = new Set(inFiles);
  for (const { sections } of files) {
    for (const section of sections) {
      const { id, type, content } = section.item;
      const wording = wordingOf(type, content);
      const same = free.get(wording);
      if (id === undefined) {
        let made = same ?? idFrom(type, content);
        for (let again = 1; used.has(made) && made !== same; again++)
          made = idFrom(type, content, String(again));
        used.add(made);
        ids.set(section, made);
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

const wordingOf = (type: string, content: string) => `${type} ${wordsOf(content) || content}`;
