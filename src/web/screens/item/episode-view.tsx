import { useState } from "preact/hooks";
import { TextBody } from "../../components/text-body.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { EditForm } from "./edit-form.tsx";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { MissingItem } from "./missing-item.tsx";
import { Neighbours } from "./neighbours.tsx";

/** Something that happened or was said. */
export function EpisodeView({ id }: { readonly id: string }) {
  const { session } = usePage();
  const { output, version, failure, again } = useQuestion("get_episode", { episode_id: id });
  const [editing, setEditing] = useState<number | undefined>(undefined);
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
      canEdit={session.canWrite && editing === undefined}
      onEdit={() => setEditing(version ?? 0)}
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
      {editing === undefined ? (
        <TextBody text={output.content} />
      ) : (
        <EditForm
          operation="update_episode"
          target={{ episode_id: id }}
          version={editing}
          present={output}
          fields={[
            { name: "content", title: "Content", isLong: true },
            { name: "entities", title: "About, as type:name, separated by commas" },
          ]}
          onDone={() => setEditing(undefined)}
        />
      )}
    </ItemFrame>
  );
}
