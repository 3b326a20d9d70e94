import { useState } from "preact/hooks";
import { ItemLink } from "../../components/link.tsx";
import { TextBody } from "../../components/text-body.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { EditForm } from "./edit-form.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { ItemLines } from "./item-lines.tsx";
import { MissingItem } from "./missing-item.tsx";

/** What was learned from episodes, or what gathers facts. */
export function ConceptView({ id }: { readonly id: string }) {
  const { session, drafts, router } = usePage();
  const { output, version, failure, again } = useQuestion("get_concept", { concept_id: id });
  const [isEditing, setEditing] = useState(() => drafts.has({ db: router.place.peek().db, id }));
  const isCluster = output?.type === "fact_cluster";
  const cluster = useQuestion("cluster_timeline", { cluster_id: id }, { when: isCluster });
  if (output === undefined || failure?.status === 404)
    return <MissingItem id={id} failure={failure} again={again} />;
  const { source_episodes: sources, evidence, relations } = output;
  const evidenceOf = new Map(evidence.map((one) => [one.episode_id, one]));
  return (
    <ItemFrame
      id={id}
      title={output.title}
      raw={output}
      record={output}
      heading={{
        type: output.type,
        at: output.created_at,
      }}
      canEdit={session.canWrite && !isEditing}
      onEdit={() => setEditing(true)}
      tabs={[
        ...(isCluster
          ? [
              {
                name: "facts",
                title: "Facts over time",
                body: () => (
                  <FactTimeline
                    facts={cluster.output?.facts ?? []}
                    conflicts={cluster.output?.conflicts ?? []}
                  />
                ),
              },
            ]
          : []),
        {
          name: "evidence",
          title: `Evidence ${sources.length}`,
          body: () =>
            sources.length === 0 ? (
              <p class="quiet">No episode stands behind it.</p>
            ) : (
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
            ),
        },
        {
          name: "relations",
          title: `Relations ${relations.length}`,
          body: () => (
            <ul class="lines">
              {relations.map(({ type, target_id: to, strength }) => (
                <li key={`${type} ${to}`}>
                  <span class="type">{type}</span> <ConceptLink id={to} />
                  <span class="quiet">{strength}</span>
                </li>
              ))}
              {relations.length === 0 && <li class="quiet">It leads to no other concept.</li>}
            </ul>
          ),
        },
      ]}
    >
      {!isEditing ? (
        <>
          <TextBody text={output.summary} />
          {!isCluster && (
            <p class="quiet">
              Confidence <meter min={0} max={1} value={output.confidence} aria-label="Confidence" />{" "}
              {output.confidence.toFixed(2)}
            </p>
          )}
        </>
      ) : (
        <EditForm
          operation="update_concept"
          target={{ concept_id: id }}
          now={{ version: version ?? 0, record: output }}
          fields={[
            { name: "title", title: "Title" },
            { name: "summary", title: "Summary", isLong: true },
            { name: "confidence", title: "Confidence, 0 to 1" },
            { name: "tags", title: "Tags, separated by commas" },
          ]}
          onDone={() => setEditing(false)}
        />
      )}
    </ItemFrame>
  );
}

function ConceptLink({ id }: { readonly id: string }) {
  const concept = useQuestion("get_concept", { concept_id: id });
  return <ItemLink id={id}>{concept.output?.title ?? id}</ItemLink>;
}
