import type { ComponentChildren } from "preact";
import { ActionButton } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Source } from "../../components/source.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { HistoryTab } from "./history-tab.tsx";

export interface Heading {
  readonly type: string;
  readonly at: string;
  readonly by?: string | null | undefined;
  readonly source?: string | null | undefined;
  readonly entities?: readonly string[] | undefined;
  readonly labels?: readonly { readonly key: string; readonly value: string }[] | undefined;
  readonly topic?: string | null | undefined;
  readonly session?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly open_conflicts?: readonly string[] | undefined;
}

interface ItemFrameProps {
  readonly id: string;
  readonly title: string;
  readonly heading: Heading;
  readonly raw: unknown;
  /** Further tabs before history. */
  readonly tabs?: readonly {
    readonly name: string;
    readonly title: string;
    body(): ComponentChildren;
  }[];
  readonly canEdit: boolean;
  readonly children: ComponentChildren;
  onEdit?(): void;
}

/** What all items have around what they say. */
export function ItemFrame(props: ItemFrameProps) {
  const { id, title, heading, raw, tabs = [], canEdit, children, onEdit } = props;
  const { router } = usePage();
  const { query } = router.place.value;
  const all = [
    ...tabs,
    { name: "history", title: "History", body: () => <HistoryTab id={id} /> },
    {
      name: "json",
      title: "JSON",
      body: () => <pre class="json">{JSON.stringify(raw, null, 2)}</pre>,
    },
  ];
  const chosen = all.find(({ name }) => name === query.tab) ?? all[0];
  const targets = { ids: [id], count: 1 };
  return (
    <article class="item">
      <header>
        <p class="item-line">
          <code class="id">{id}</code>
          <TypeBadge type={heading.type} />
          <Marks of={heading} />
          <Age at={heading.at} />
          {heading.by != null && <span>by {heading.by}</span>}
        </p>
        <h1 class={title === id ? "unseen" : undefined} dir="auto">
          {title}
        </h1>
      </header>
      {children}
      <Facts of={heading} />
      <div class="item-actions">
        {canEdit && onEdit !== undefined && (
          <button type="button" class="button" onClick={onEdit}>
            Edit
          </button>
        )}
        {["reviewed", "label", "topic", "show-in-map", "delete"].map((action) => (
          <ActionButton key={action} id={action} targets={targets} />
        ))}
      </div>
      <div class="tabs" role="tablist" aria-label="More of it">
        {all.map(({ name, title: tab }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-body"
            aria-selected={name === chosen?.name}
            onClick={() => router.setQuery({ tab: name })}
          >
            {tab}
          </button>
        ))}
      </div>
      <div id="tab-body" role="tabpanel" aria-labelledby={`tab-${chosen?.name}`}>
        {chosen?.body()}
      </div>
    </article>
  );
}

function Facts({ of: heading }: { readonly of: Heading }) {
  const { router } = usePage();
  const { entities = [], labels = [], source, session, topic } = heading;
  const list = (query: Record<string, string>) => router.href({ screen: "find", query });
  return (
    <dl class="properties">
      {entities.length > 0 && (
        <div>
          <dt>About</dt>
          <dd>
            {entities.slice(0, 200).map((entity) => (
              <ItemLink key={entity} id={entity} />
            ))}
          </dd>
        </div>
      )}
      {labels.length > 0 && (
        <div>
          <dt>Labels</dt>
          <dd>
            {labels.slice(0, 200).map(({ key, value }) => (
              <Link key={`${key}=${value}`} class="tag" to={list({ labels: `${key}=${value}` })}>
                {key}={value}
              </Link>
            ))}
            {labels.length > 200 && <span class="quiet">and {labels.length - 200} more</span>}
          </dd>
        </div>
      )}
      {topic != null && (
        <div>
          <dt>Topic</dt>
          <dd>
            <TopicLink id={topic} />
          </dd>
        </div>
      )}
      {source != null && (
        <div>
          <dt>Source</dt>
          <dd>
            <Source of={source} />
          </dd>
        </div>
      )}
      {session != null && (
        <div>
          <dt>Session</dt>
          <dd>
            <Link to={list({ session, sort: "oldest" })}>{session}</Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

function TopicLink({ id }: { readonly id: string }) {
  const { router } = usePage();
  const topics = useQuestion("list_topics", {}, { pause: 5_000 });
  const name = topics.output?.topics.find((topic) => topic.id === id)?.name ?? id;
  return <Link to={router.href({ screen: "find", query: { topic: id } })}>{name}</Link>;
}
