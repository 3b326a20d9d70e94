import { useEffect, useState } from "preact/hooks";
import { Button } from "../../components/controls.tsx";
import { Icon } from "../../components/icon.tsx";
import { addressOfRecord, ItemLines, ItemLink, Link } from "../../components/link.tsx";
import { useScreenActions, useTargets } from "../../components/use-screen-actions.ts";
import { useQuery } from "../../data/use-query.ts";
import { TextBody } from "../../markdown/text-body.tsx";
import { usePage } from "../../page.ts";
import { ConceptView } from "./concept-view.tsx";
import { EditForm } from "./edit-form.tsx";
import { EntityView } from "./entity-view.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { kindOfId } from "./item-kind.ts";
import { MissingItem } from "./missing-item.tsx";
import { PassageView, SourceView } from "./source-view.tsx";

const VIEWS = {
  episode: EpisodeView,
  fact: FactView,
  source: SourceView,
  passage: PassageView,
  concept: ConceptView,
  entity: EntityView,
} as const;

/** Shows the item of an id, of any kind. */
export function ItemView({ id }: { readonly id: string }) {
  const View = VIEWS[kindOfId(id)];
  return <View id={id} />;
}

export function ItemPanel({ id, onClose }: { readonly id: string; onClose(): void }) {
  const { router } = usePage();
  return (
    <aside class="panel" aria-label={`Item ${id}`}>
      <div class="panel-bar">
        <Button kind="narrow-only" onClick={onClose}>
          <Icon name="left" /> Back to the list
        </Button>
        <Link class="button quiet" to={router.href({ screen: "item", id })}>
          Open <Icon name="external" />
        </Link>
        <button
          type="button"
          class="icon-button wide-only"
          aria-label="Close the item"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <ItemView key={id} id={id} />
    </aside>
  );
}

export function ItemScreen() {
  const { router } = usePage();
  const { id = "" } = router.location.value;
  useTargets({ ids: [id], count: 1 });
  useScreenActions([
    {
      id: "back",
      title: "Back",
      group: "This screen",
      keys: ["Escape"],
      run: () => (history.length > 1 ? history.back() : router.go(router.href({ screen: "find" }))),
    },
  ]);
  const address = addressOfRecord(router, id);
  const isElsewhere = address !== router.href({ screen: "item", id });
  useEffect(() => {
    if (isElsewhere) router.go(address, "replace");
  }, [router, address, isElsewhere]);
  if (isElsewhere) return null;
  return (
    <div class="item-page">
      <ItemView key={id} id={id} />
    </div>
  );
}

function FactView({ id }: { readonly id: string }) {
  const { output, failure, retry } = useQuery("get_fact", { fact_id: id });
  if (output === undefined) return <MissingItem id={id} failure={failure} retry={retry} />;
  const { timeline, conflicts, ...fact } = output;
  const open = conflicts.filter(({ status }) => status === "open").map((conflict) => conflict.id);
  return (
    <ItemFrame
      id={id}
      title={id}
      record={fact}
      canEdit={false}
      heading={{
        type: "fact",
        at: fact.valid_from,
        by: fact.asserted_by,
        status: fact.status,
        open_conflicts: open,
      }}
      tabs={[
        {
          name: "facts",
          title: "Facts over time",
          body: () => <FactTimeline facts={timeline} conflicts={conflicts} />,
        },
      ]}
    >
      <TextBody text={fact.statement} />
      <p class="quiet">
        Stated by <ItemLink id={fact.episode_id} />, in the cluster{" "}
        <ItemLink id={fact.cluster_id} />
      </p>
    </ItemFrame>
  );
}

function EpisodeView({ id }: { readonly id: string }) {
  const { session, drafts, router } = usePage();
  const { output, version, failure, retry } = useQuery("get_episode", { episode_id: id });
  const [isEditing, setEditing] = useState(() => drafts.has({ db: router.location.peek().db, id }));
  const factId = output?.fact_id ?? undefined;
  const fact = useQuery("get_fact", { fact_id: factId ?? "" }, { when: factId !== undefined });
  if (output === undefined || failure?.status === 404)
    return <MissingItem id={id} failure={failure} retry={retry} />;
  const open = fact.output?.conflicts.filter(({ status }) => status === "open") ?? [];
  const timeline = fact.output?.timeline ?? [];
  return (
    <ItemFrame
      id={id}
      title={id}
      record={output}
      heading={{
        type: output.episode_type,
        at: output.occurred_at ?? output.created_at,
        by: output.asserted_by,
        status: fact.output?.status,
        open_conflicts: open.map((conflict) => conflict.id),
      }}
      canEdit={session.canWrite && !isEditing}
      onEdit={() => setEditing(true)}
      tabs={[
        ...(timeline.length > 0
          ? [
              {
                name: "facts",
                title: "Facts over time",
                body: () => (
                  <FactTimeline facts={timeline} conflicts={fact.output?.conflicts ?? []} />
                ),
              },
            ]
          : []),
        {
          name: "neighbours",
          title: "Related",
          body: () => <Neighbours id={id} session={output.session} />,
        },
      ]}
    >
      {!isEditing ? (
        <TextBody text={output.content} />
      ) : (
        <EditForm
          operation="update_episode"
          target={{ episode_id: id }}
          now={{ version: version ?? 0, record: output }}
          fields={[
            { name: "content", title: "Content", isLong: true },
            { name: "episode_type", title: "Type" },
            { name: "entities", title: "Entities (type:name, comma-separated)" },
            { name: "occurred_at", title: "Date (ISO 8601)" },
          ]}
          onDone={() => setEditing(false)}
        />
      )}
    </ItemFrame>
  );
}

function Neighbours({ id, session }: { readonly id: string; readonly session: string | null }) {
  const nearby = useQuery("graph_neighbourhood", { center: id, depth: 1, limit: 40 });
  const beside = useQuery(
    "items",
    { session: [session ?? ""], kinds: ["episode"], sort: "oldest", limit: 200 },
    { when: session !== null },
  );
  const rows = beside.output?.items ?? [];
  const at = rows.findIndex((row) => row.id === id);
  const around = at < 0 ? [] : rows.slice(Math.max(0, at - 3), at + 4);
  const nodes = nearby.output?.nodes.filter((node) => node.id !== id) ?? [];
  return (
    <>
      {around.length > 1 && (
        <section>
          <h2>Same session</h2>

          <ItemLines lines={around} present={id} />
        </section>
      )}
      {nodes.length > 0 && (
        <section>
          <h2>Connected</h2>

          <ItemLines
            lines={nodes.map(({ id: node, type, title, at: when }) => ({
              id: node,
              type,
              text: title,
              at: when,
            }))}
          />
        </section>
      )}
      {around.length < 2 && nodes.length === 0 && nearby.output !== undefined && (
        <p class="quiet">No connected items.</p>
      )}
    </>
  );
}
