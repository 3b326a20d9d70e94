import type { OutputOf } from "../../../memory/index.ts";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import { Rename } from "./rename.tsx";

type Topic = OutputOf<"list_topics">["topics"][number];

export function TopicTable({ topics }: { readonly topics: readonly Topic[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Description</th>
          <th scope="col" class="number">
            Episodes
          </th>
          <th scope="col" class="number">
            Concepts
          </th>
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {topics.map((topic) => (
          <TopicRow key={topic.id} topic={topic} />
        ))}
      </tbody>
    </table>
  );
}

function TopicRow({ topic }: { readonly topic: Topic }) {
  const { router, writer, session } = usePage();
  const { db } = router.place.value;
  const { id, name, description, episode_count: episodes, concept_count: concepts } = topic;
  const describe = (text: string) =>
    void writer.write(
      "update_topic",
      { topic_id: id, description: text },
      { db, done: `Updated topic ${name}.` },
    );
  const remove = () =>
    void writer.write("delete_topic", { topic_id: id }, { db, done: `Deleted topic ${name}.` });
  return (
    <tr>
      <td>
        <Link to={router.href({ screen: "find", query: { topic: id } })}>
          <Stored text={name} />
        </Link>
      </td>
      <td>
        {session.canWrite ? (
          <input
            class="inline"
            aria-label={`Description of ${name}`}
            defaultValue={description}
            onChange={({ currentTarget }) => describe(currentTarget.value)}
          />
        ) : (
          <Stored text={description} />
        )}
      </td>
      <td class="number">{episodes.toLocaleString("en")}</td>
      <td class="number">{concepts.toLocaleString("en")}</td>
      <td class="number">
        {session.canWrite && episodes + concepts > 0 && (
          <Rename
            what={`topic ${name}`}
            filter={{ topic: [id] }}
            ops={{
              first: (to) => (to === "" ? [] : [{ op: "topic", name: to, as: "fresh" }]),
              each: (item, to) => [{ op: "set_topic", id: item, topic: to === "" ? "" : "$fresh" }],
            }}
          />
        )}
        {session.canWrite && episodes + concepts === 0 && (
          <button
            type="button"
            class="button quiet danger"
            aria-label={`Delete topic ${name}`}
            onClick={remove}
          >
            Delete
          </button>
        )}
      </td>
    </tr>
  );
}
