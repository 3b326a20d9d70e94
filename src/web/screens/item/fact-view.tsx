import { ItemLink } from "../../components/link.tsx";
import { TextBody } from "../../components/text-body.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { FactTimeline } from "./fact-timeline.tsx";
import { ItemFrame } from "./item-frame.tsx";
import { MissingItem } from "./missing-item.tsx";

export function FactView({ id }: { readonly id: string }) {
  const { output, failure, again } = useQuestion("get_fact", { fact_id: id });
  if (output === undefined) return <MissingItem id={id} failure={failure} again={again} />;
  const { timeline, conflicts, ...fact } = output;
  const open = conflicts.filter(({ status }) => status === "open").map((conflict) => conflict.id);
  return (
    <ItemFrame
      id={id}
      title={id}
      raw={fact}
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
        Said by <ItemLink id={fact.episode_id} />, in the cluster <ItemLink id={fact.cluster_id} />
      </p>
    </ItemFrame>
  );
}
