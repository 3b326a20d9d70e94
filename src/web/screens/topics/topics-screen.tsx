import type { OutputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { LabelTable } from "./label-table.tsx";
import { NewTopic } from "./new-topic.tsx";
import { TopicTable } from "./topic-table.tsx";

type Topic = OutputOf<"list_topics">["topics"][number];

export function TopicsScreen() {
  const { session } = usePage();
  const { output, failure, again } = useQuestion("list_topics", {});
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  return (
    <div class="page-body">
      <h1>Topics and labels</h1>
      <section>
        <h2>Topics</h2>
        {output?.topics.length === 0 && (
          <p class="quiet">No topics yet. A topic gathers episodes and concepts under one name.</p>
        )}
        {output !== undefined && output.topics.length > 0 && (
          <>
            <TopicTable topics={output.topics} />
            <SaveList
              name="topics"
              columns={fields<Topic>(
                ...(["id", "name", "description", "episode_count", "concept_count"] as const),
                ...(["created_at", "updated_at"] as const),
              )}
              pages={() => allAtOnce(output.topics)}
            />
          </>
        )}
        {session.canWrite && <NewTopic />}
      </section>
      <LabelTable />
    </div>
  );
}
