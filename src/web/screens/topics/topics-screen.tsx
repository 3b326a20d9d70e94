import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { CardTable } from "../../components/card-table.tsx";
import { Button, Form, TextField } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { NameActions } from "./name-actions.tsx";

/** Maximum rows; longer lists need a filter. */
const MAX_ROWS = 200;

function LabelTable() {
  const labels = useQuery("list_labels", {});
  const [words, setWords] = useState("");
  const found = (labels.output?.labels ?? []).filter(({ key, value }) =>
    `${key}=${value}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <section>
      <div class="screen-head">
        <h2>Labels</h2>
        <label class="by">
          <span class="unseen">Filter labels</span>
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
        <CardTable columns={["Label", "Items"]} numbers={["Items"]}>
          {found.slice(0, MAX_ROWS).map(({ key, value, count }) => (
            <LabelRow key={`${key}=${value}`} name={key} value={value} count={count} />
          ))}
        </CardTable>
      )}

      {found.length > MAX_ROWS && (
        <p class="quiet">
          {(found.length - MAX_ROWS).toLocaleString("en")} more; filter to see them.
        </p>
      )}
    </section>
  );
}

interface LabelRowProps {
  readonly name: string;
  readonly value: string;
  readonly count: number;
}

function LabelRow({ name, value, count }: LabelRowProps) {
  const { router, session } = usePage();
  const label = `${name}=${value}`;
  return (
    <tr>
      <td>
        <Link to={router.href({ screen: "find", query: { labels: label } })}>
          <Stored text={label} />
        </Link>
      </td>
      <td class="number" data-label="Items">
        {count.toLocaleString("en")}
      </td>
      <td class="number">
        {session.canWrite && (
          <NameActions
            what={`label ${label}`}
            filter={{ labels: [label] }}
            form="key=value"
            ops={(ids, to) =>
              ids.flatMap((id) => [
                ...(to === "" ? [] : [{ op: "label", id, ...getParts(to) }]),
                { op: "unlabel", id, key: name, value },
              ])
            }
          />
        )}
      </td>
    </tr>
  );
}

/** Splits `area=billing`; without a value, the server reports what is missing. */
function getParts(label: string): { readonly key: string; readonly value: string } {
  const at = label.indexOf("=");
  return at < 0
    ? { key: label, value: "" }
    : { key: label.slice(0, at), value: label.slice(at + 1) };
}

export function TopicsScreen() {
  const { session } = usePage();
  const { output, failure, retry } = useQuery("list_topics", {});
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  return (
    <div class="page-body">
      <h1>Topics and labels</h1>
      <section>
        <h2>Topics</h2>
        {output?.topics.length === 0 && (
          <p class="quiet">No topics yet. A topic groups episodes and concepts.</p>
        )}
        {output !== undefined && output.topics.length > 0 && <TopicTable topics={output.topics} />}
        {session.canWrite && <NewTopic />}
      </section>
      <LabelTable />
    </div>
  );
}

function NewTopic() {
  const { router, writer } = usePage();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const make = async () => {
    const { db } = router.location.peek();
    const input = { name: name.trim(), description };
    const created = await writer.write("create_topic", input, {
      db,
      done: `Created topic ${input.name}.`,
    });
    if (created === undefined) return;
    setName("");
    setDescription("");
  };
  return (
    <Form
      class="inline-form"
      onSubmit={() => {
        if (name.trim() !== "") void make();
      }}
    >
      <TextField label="New topic" value={name} onInput={setName} />
      <TextField label="Description" value={description} onInput={setDescription} />
      <Button type="submit">Create</Button>
    </Form>
  );
}

type Topic = OutputOf<"list_topics">["topics"][number];

function TopicTable({ topics }: { readonly topics: readonly Topic[] }) {
  return (
    <CardTable
      columns={["Name", "Description", "Episodes", "Concepts"]}
      numbers={["Episodes", "Concepts"]}
    >
      {topics.map((topic) => (
        <TopicRow key={topic.id} topic={topic} />
      ))}
    </CardTable>
  );
}

function TopicRow({ topic }: { readonly topic: Topic }) {
  const { router, writer, session } = usePage();
  const { db } = router.location.value;
  const { id, name, description, episode_count: episodes, concept_count: concepts } = topic;
  const describe = (text: string) =>
    void writer.write(
      "update_topic",
      { topic_id: id, description: text },
      { db, done: `Updated topic ${name}.` },
    );
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
      <td class="number" data-label="Episodes">
        {episodes.toLocaleString("en")}
      </td>
      <td class="number" data-label="Concepts">
        {concepts.toLocaleString("en")}
      </td>
      <td class="number">
        {session.canWrite && (
          <NameActions
            what={`topic ${name}`}
            filter={{ topic: [id] }}
            topicId={id}
            ops={(ids, to) => [
              ...(to === "" ? [] : [{ op: "topic", name: to, description, as: "fresh" }]),
              ...ids.map((item) => ({
                op: "set_topic",
                id: item,
                topic: to === "" ? "" : "$fresh",
              })),
            ]}
          />
        )}
      </td>
    </tr>
  );
}
