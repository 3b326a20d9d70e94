import type { OutputOf } from "../../../memory/index.ts";
import { ItemLink, Link } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { SaveItems } from "../find/save-found.tsx";
import { EntityStory } from "./entity-story.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { ItemLines } from "./item-lines.tsx";
import { MissingItem } from "./missing-item.tsx";

export function EntityView({ id }: { readonly id: string }) {
  const { router } = usePage();
  const { output, failure, again } = useQuestion("inspect_entity", { entity_id: id });
  const facts = useQuestion("entity_facts", { entity_id: id, limit: 200 });
  if (output === undefined) return <MissingItem id={id} failure={failure} again={again} />;
  const { entity, episodes, relations = [] } = output;
  const known = facts.output?.facts ?? [];
  const all = router.href({ screen: "find", query: { entity: id } });
  return (
    <ItemFrame
      id={id}
      title={entity.name}
      raw={output}
      canEdit={false}
      heading={{ type: entity.type, at: entity.created_at, isRecalled: false }}
      tabs={[
        {
          name: "story",
          title: "Story",
          body: () => <EntityStory id={id} facts={known} />,
        },
        ...(known.length > 0
          ? [
              {
                name: "facts",
                title: `Facts over time ${known.length}`,
                body: () => (
                  <FactTimeline facts={known} conflicts={facts.output?.conflicts ?? []} />
                ),
              },
            ]
          : []),
        {
          name: "episodes",
          title: "Episodes",
          body: () => <EntityEpisodes of={id} newest={episodes} />,
        },
        {
          name: "relations",
          title: `Relations ${relations.length}`,
          body: () => <EntityRelations of={relations} />,
        },
      ]}
    >
      <p>
        <Link to={all}>{entity.mention_count.toLocaleString("en")} episodes mention it</Link>
      </p>
    </ItemFrame>
  );
}

type Entity = OutputOf<"inspect_entity">;

interface EpisodesProps {
  readonly of: string;
  readonly newest: Entity["episodes"];
}

/** The newest are shown; all are saved. */
function EntityEpisodes({ of: entity, newest }: EpisodesProps) {
  return (
    <>
      {newest.length > 0 && <SaveItems name="episodes" filter={{ kinds: ["episode"], entity }} />}
      <ItemLines
        of={newest.map((episode) => ({
          id: episode.id,
          type: episode.episode_type,
          text: episode.content,
          at: episode.occurred_at ?? episode.created_at,
        }))}
      />
    </>
  );
}

type Relation = NonNullable<Entity["relations"]>[number];

function EntityRelations({ of: relations }: { readonly of: readonly Relation[] }) {
  if (relations.length === 0) return <p class="quiet">It is related to no other entity.</p>;
  return (
    <>
      <SaveList
        name="relations"
        columns={fields<Relation>("source", "relation", "target")}
        pages={() => allAtOnce(relations)}
      />
      <ul class="lines">
        {relations.map(({ source, target, relation }) => (
          <li key={`${source} ${relation} ${target}`}>
            <ItemLink id={source} /> <span class="type">{relation}</span> <ItemLink id={target} />
          </li>
        ))}
      </ul>
    </>
  );
}
