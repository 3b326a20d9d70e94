import { useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

/** Long lists are filtered, not scrolled. */
const MOST_ROWS = 200;

/** What things are filed under. */
export function TopicsScreen() {
  const { router, writer, session } = usePage();
  const { db } = router.place.value;
  const topics = useQuestion("list_topics", {});
  const labels = useQuestion("list_labels", {});
  const [words, setWords] = useState("");
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  if (topics.failure !== undefined) return <Failure of={topics.failure} again={topics.again} />;
  const found = (labels.output?.labels ?? []).filter(({ key, value }) =>
    `${key}=${value}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <div class="page-body">
      <h1>Topics and labels</h1>
      <section>
        <h2>Topics</h2>
        {topics.output?.topics.length === 0 && (
          <p class="quiet">No topics yet. A topic gathers episodes and concepts under one name.</p>
        )}
        {topics.output !== undefined && topics.output.topics.length > 0 && (
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
              {topics.output.topics.map((topic) => (
                <tr key={topic.id}>
                  <td>
                    <Link to={router.href({ screen: "find", query: { topic: topic.id } })}>
                      {topic.name}
                    </Link>
                  </td>
                  <td>
                    {session.canWrite ? (
                      <input
                        class="inline"
                        aria-label={`Description of ${topic.name}`}
                        defaultValue={topic.description}
                        onChange={({ currentTarget }) =>
                          void writer.write(
                            "update_topic",
                            { topic_id: topic.id, description: currentTarget.value },
                            { db, done: `Described ${topic.name}.` },
                          )
                        }
                      />
                    ) : (
                      topic.description
                    )}
                  </td>
                  <td class="number">{topic.episode_count.toLocaleString("en")}</td>
                  <td class="number">{topic.concept_count.toLocaleString("en")}</td>
                  <td class="number">
                    {session.canWrite && topic.episode_count + topic.concept_count === 0 && (
                      <button
                        type="button"
                        class="button quiet danger"
                        aria-label={`Delete the topic ${topic.name}`}
                        onClick={() =>
                          void writer.write(
                            "delete_topic",
                            { topic_id: topic.id },
                            { db, done: `Deleted the topic ${topic.name}.` },
                          )
                        }
                      >
                        Delete
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {session.canWrite && (
          <form
            class="inline-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() === "") return;
              void writer
                .write(
                  "create_topic",
                  { name: name.trim(), description },
                  { db, done: `Made the topic ${name.trim()}.` },
                )
                .then((made) => {
                  if (made === undefined) return;
                  setName("");
                  setDescription("");
                });
            }}
          >
            <label class="field">
              New topic
              <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
            </label>
            <label class="field">
              Description
              <input
                value={description}
                onInput={({ currentTarget }) => setDescription(currentTarget.value)}
              />
            </label>
            <button type="submit" class="button">
              Make it
            </button>
          </form>
        )}
      </section>
      <section>
        <div class="screen-head">
          <h2>Labels</h2>
          <label class="by">
            <span class="unseen">Filter the labels</span>
            <input
              placeholder="Filter"
              value={words}
              onInput={({ currentTarget }) => setWords(currentTarget.value)}
            />
          </label>
        </div>
        {found.length === 0 ? (
          <p class="quiet">No labels.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Label</th>
                <th scope="col" class="number">
                  Items
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, MOST_ROWS).map(({ key, value, count }) => (
                <tr key={`${key}=${value}`}>
                  <td>
                    <Link
                      to={router.href({ screen: "find", query: { labels: `${key}=${value}` } })}
                    >
                      {key}={value}
                    </Link>
                  </td>
                  <td class="number">{count.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {found.length > MOST_ROWS && (
          <p class="quiet">
            {(found.length - MOST_ROWS).toLocaleString("en")} more; filter to see them.
          </p>
        )}
      </section>
    </div>
  );
}
