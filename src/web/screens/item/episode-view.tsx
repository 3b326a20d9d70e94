import { useState } from "preact/hooks";
import { TextBody } from "../../components/text-body.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { EditForm } from "./edit-form.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { MissingItem } from "./missing-item.tsx";
import { Neighbours } from "./neighbours.tsx";

export function EpisodeView({ id }: { readonly id: string }) {
  const { session, drafts, router } = usePage();
  const { output, version, failure, again } = useQuestion("get_episode", { episode_id: id });
  const [isEditing, setEditing] = useState(() => drafts.has({ db: router.place.peek().db, id }));
  const factId = output?.fact_id ?? undefined;
  const fact = useQuestion("get_fact", { fact_id: factId ?? "" }, { when: factId !== undefined });
  if (output === undefined || failure?.status === 404)
    return <MissingItem id={id} failure={failure} again={again} />;
  const open = fact.output?.conflicts.filter(({ status }) => status === "open") ?? [];
  const timeline = fact.output?.timeline ?? [];
  return (
    <ItemFrame
      id={id}
      title={id}
      raw={output}
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
          title: "Neighbours",
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
            { name: "entities", title: "About, as type:name, separated by commas" },
          ]}
          onDone={() => setEditing(false)}
        />
      )}
    </ItemFrame>
  );
}
