import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { EntityLinks, ItemLines, ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { TextBody } from "../../markdown/text-body.tsx";
import { usePage } from "../../page.ts";
import { EditForm } from "./edit-form.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { MissingItem } from "./missing-item.tsx";

/** Maximum related concepts listed. */
const MAX_RELATED = 200;

const EDITED = [
  { name: "title", title: "Title" },
  { name: "summary", title: "Summary", isLong: true },
  { name: "confidence", title: "Confidence (0 to 1)" },
  { name: "tags", title: "Tags (comma-separated)" },
] as const;

export function ConceptView({ id }: { readonly id: string }) {
  const { session, drafts, router } = usePage();
  const { output, version, failure, retry } = useQuery("get_concept", { concept_id: id });
  const [isEditing, setEditing] = useState(() => drafts.has({ db: router.location.peek().db, id }));
  const { near, titles } = useRelated(id);
  const isCluster = output?.type === "fact_cluster";
  const cluster = useQuery("cluster_timeline", { cluster_id: id }, { when: isCluster });
  if (output === undefined || failure?.status === 404)
    return <MissingItem id={id} failure={failure} retry={retry} />;
  const { source_episodes: sources } = output;
  const present = isCluster ? getNewest(output.facts ?? []) : undefined;
  const facts = () => (
    <FactTimeline facts={cluster.output?.facts ?? []} conflicts={cluster.output?.conflicts ?? []} />
  );
  return (
    <ItemFrame
      id={id}
      title={present?.statement ?? output.title}
      record={output}
      heading={{
        type: output.type,
        at: output.created_at,
      }}
      canEdit={session.canWrite && !isEditing}
      onEdit={() => setEditing(true)}
      tabs={[
        ...(isCluster ? [{ name: "facts", title: "Facts over time", body: facts }] : []),
        {
          name: "evidence",
          title: `Evidence ${sources.length}`,
          body: () => <ConceptEvidence concept={output} />,
        },
        {
          name: "relations",
          title: `Relations ${near.length}`,
          body: () => <ConceptRelations id={id} edges={near} titles={titles} />,
        },
      ]}
    >
      {isEditing ? (
        <EditForm
          operation="update_concept"
          target={{ concept_id: id }}
          now={{ version: version ?? 0, record: output }}
          fields={EDITED}
          onDone={() => setEditing(false)}
        />
      ) : (
        <>
          {present !== undefined && <EntityLinks entities={present.entities} />}
          <TextBody text={output.summary} />
          {!isCluster && (
            <p class="quiet">
              Confidence <meter min={0} max={1} value={output.confidence} aria-label="Confidence" />{" "}
              {output.confidence.toFixed(2)}
            </p>
          )}
        </>
      )}
    </ItemFrame>
  );
}

/** Loads the relations of a concept with the titles of the related concepts. */
function useRelated(id: string) {
  const around = useQuery("graph_neighbourhood", {
    center: id,
    kinds: ["concept"],
    depth: 1,
    limit: MAX_RELATED,
  });
  const near = (around.output?.edges ?? []).filter(
    ({ kind, source, target }) => kind === "relation" && (source === id || target === id),
  );
  return { near, titles: new Map(around.output?.nodes.map((node) => [node.id, node.title])) };
}

interface DatedFact {
  readonly status: string;
  readonly statement: string;
  readonly entities: readonly string[];
  readonly valid_from: string;
}

function getNewest(facts: readonly DatedFact[]): DatedFact | undefined {
  return facts
    .filter(({ status }) => status === "active")
    .reduce<DatedFact | undefined>(
      (newest, fact) =>
        newest === undefined || fact.valid_from >= newest.valid_from ? fact : newest,
      undefined,
    );
}

function ConceptEvidence({ concept }: { readonly concept: OutputOf<"get_concept"> }) {
  const { source_episodes: sources, evidence } = concept;
  if (sources.length === 0) return <p class="quiet">No source episodes.</p>;
  const evidenceOf = new Map(evidence.map((one) => [one.episode_id, one]));
  return (
    <ItemLines
      lines={sources.map((episode) => {
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
  );
}

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly strength: number;
}

interface ConceptRelationsProps {
  readonly id: string;
  readonly edges: readonly Edge[];
  readonly titles: ReadonlyMap<string, string>;
}

function ConceptRelations({ id, edges, titles }: ConceptRelationsProps) {
  return (
    <ul class="lines">
      {edges.map(({ source, target, type, strength }) => {
        const isFromHere = source === id;
        const other = isFromHere ? target : source;
        const link = (
          <ItemLink id={other}>
            <Stored text={titles.get(other) ?? other} />
          </ItemLink>
        );
        const name = <span class="type">{type.replaceAll("_", " ")}</span>;
        return (
          <li key={`${source} ${type} ${target}`}>
            {isFromHere ? (
              <>
                {name} {link}
              </>
            ) : (
              <>
                {link} {name} <span class="quiet">this</span>
              </>
            )}
            <span class="quiet">{strength}</span>
          </li>
        );
      })}
      {edges.length === 0 && <li class="quiet">No relations.</li>}
    </ul>
  );
}
