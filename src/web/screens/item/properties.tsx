import {
  type Presentable,
  type Property,
  propertiesOf,
} from "../../../memory/presentation/index.ts";
import { Age } from "../../components/age.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Source } from "../../components/source.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

/** So many values of one property are shown. */
const SHOWN = 200;

export function Properties({ of }: { readonly of: Presentable }) {
  return (
    <dl class="properties">
      {propertiesOf(of).map((property) => (
        <div key={property.field}>
          <dt>{titleOf(property)}</dt>
          <dd>
            {property.values.slice(0, SHOWN).map((value) => (
              <Value key={value} of={property} value={value} />
            ))}
            {property.values.length > SHOWN && (
              <span class="quiet">and {property.values.length - SHOWN} more</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function titleOf({ kind, name }: Property): string {
  return kind === "entity" ? "About" : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function Value({ of: { kind }, value }: { readonly of: Property; readonly value: string }) {
  const { router } = usePage();
  const list = (query: Record<string, string>) => router.href({ screen: "find", query });
  switch (kind) {
    case "episode":
    case "fact":
    case "concept":
    case "entity":
      return <ItemLink id={value} />;
    case "label":
      return (
        <Link class="tag" to={list({ labels: value })}>
          <Stored text={value} />
        </Link>
      );
    case "topic":
      return <TopicLink id={value} />;
    case "session":
      return (
        <Link to={list({ session: value, sort: "oldest" })}>
          <Stored text={value} />
        </Link>
      );
    case "author":
      return (
        <Link to={list({ by: value })}>
          <Stored text={value} />
        </Link>
      );
    case "source":
      return <Source of={value} />;
    case "time":
      return <Age at={value} />;
    case "data":
      return <Stored as="span" class="code" text={value} />;
    case "text":
      return <Stored text={value} />;
  }
}

function TopicLink({ id }: { readonly id: string }) {
  const { router } = usePage();
  const topics = useQuestion("list_topics", {}, { pause: 5_000 });
  const name = topics.output?.topics.find((topic) => topic.id === id)?.name ?? id;
  return (
    <Link to={router.href({ screen: "find", query: { topic: id } })}>
      <Stored text={name} />
    </Link>
  );
}
