import type { OutputOf } from "../../../memory/index.ts";
import { fields, SaveList } from "../../components/save-list.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { ItemLines } from "./item-lines.tsx";

export function ConceptEvidence({ of: concept }: { readonly of: OutputOf<"get_concept"> }) {
  const { source_episodes: sources, evidence } = concept;
  if (sources.length === 0) return <p class="quiet">No episode stands behind it.</p>;
  const evidenceOf = new Map(evidence.map((one) => [one.episode_id, one]));
  return (
    <>
      <SaveList
        name="evidence"
        columns={{
          ...fields<(typeof sources)[number]>("id", "episode_type", "content", "created_at"),
          bears: ({ id }) => evidenceOf.get(id)?.type,
          strength: ({ id }) => evidenceOf.get(id)?.strength,
          note: ({ id }) => evidenceOf.get(id)?.note,
        }}
        pages={() => allAtOnce(sources)}
      />
      <ItemLines
        of={sources.map((episode) => {
          const known = evidenceOf.get(episode.id);
          return {
            id: episode.id,
            type: episode.episode_type,
            text: episode.content,
            at: episode.created_at,
            note: known && (
              <span class="mark" title={known.note ?? ""}>
                {known.type} {known.strength}
              </span>
            ),
          };
        })}
      />
    </>
  );
}
