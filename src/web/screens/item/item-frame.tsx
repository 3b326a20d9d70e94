import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import {
  listProperties,
  type Presentable,
  type Property,
} from "../../../memory/presentation/index.ts";
import { ActionButton, ActionMenu } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Source, Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { HistoryTab } from "./missing-item.tsx";

/** Maximum values shown per property. */
const SHOWN = 200;

function Properties({ record }: { readonly record: Presentable }) {
  return (
    <dl class="properties">
      {listProperties(record).map((property) => (
        <div key={property.field}>
          <dt>{getTitle(property)}</dt>
          <dd>
            {property.values.slice(0, SHOWN).map((value) => (
              <Value key={value} property={property} value={value} />
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

function getTitle({ kind, name }: Property): string {
  return kind === "entity" ? "About" : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function Value({
  property: { kind },
  value,
}: {
  readonly property: Property;
  readonly value: string;
}) {
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
      return /^passage:\d+$/.test(value) ? <ItemLink id={value} /> : <Source source={value} />;
    case "time":
      return <Age at={value} />;
    case "data":
      return <Stored as="code" text={value} />;
    case "text":
      return <Stored text={value} />;
  }
}

function TopicLink({ id }: { readonly id: string }) {
  const { router } = usePage();
  const topics = useQuery("list_topics", {}, { pause: 5_000 });
  const name = topics.output?.topics.find((topic) => topic.id === id)?.name ?? id;
  return (
    <Link to={router.href({ screen: "find", query: { topic: id } })}>
      <Stored text={name} />
    </Link>
  );
}

export interface Heading {
  readonly type: string;
  readonly at: string;
  readonly by?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly open_conflicts?: readonly string[] | undefined;
  /** False if recall returns items about this one but never the item itself. */
  readonly isRecalled?: false;
}

interface ItemFrameProps {
  readonly id: string;
  readonly title: string;
  readonly heading: Heading;
  readonly record?: Presentable;
  /** Additional tabs before the history tab. */
  readonly tabs?: readonly Tab[];
  readonly canEdit: boolean;
  readonly children: ComponentChildren;
  onEdit?(): void;
}

const MENU_ACTIONS = ["label", "topic", "show-in-map", "copy-id", "delete"] as const;

/** Heading, properties, actions and tabs of an item of any kind. */
export function ItemFrame(props: ItemFrameProps) {
  const { id, title, heading, record = {}, tabs = [], canEdit, children, onEdit } = props;
  const { router } = usePage();
  const { query } = router.location.value;
  const { as_of: asOf } = query;
  const all = [...tabs, { name: "history", title: "History", body: () => <HistoryTab id={id} /> }];
  const targets = { ids: [id], count: 1 };
  return (
    <article class="item">
      <header>
        <p class="item-line">
          <Stored as="span" class="id" text={id} />
          <TypeBadge type={heading.type} />
          <Marks item={heading} />
          {asOf && heading.at.slice(0, 10) > asOf && (
            <span class="mark warn">did not exist on {asOf}</span>
          )}
          <Age at={heading.at} />
          {heading.by != null && (
            <span>
              by <Stored text={heading.by} />
            </span>
          )}
        </p>
        <Stored as="h1" class={title === id ? "unseen" : undefined} text={title} />
      </header>
      {children}
      <Properties record={record} />
      <div class="item-actions">
        {canEdit && onEdit !== undefined && <Button onClick={onEdit}>Edit</Button>}
        {heading.status === "active" && <ActionButton id="supersede" targets={targets} />}
        <ActionButton id="reviewed" targets={targets} />
        <ActionMenu targets={targets} ids={MENU_ACTIONS} />
      </div>
      <Tabs
        label="Details"
        tabs={all}
        chosen={query.tab}
        onChoose={(tab) => router.setQuery({ tab })}
      />
    </article>
  );
}

interface Tab {
  readonly name: string;
  readonly title: string;
  body(): ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string | undefined;
  onChoose(name: string): void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Tabs with one tab stop; arrow keys move between them. */
function Tabs({ label, tabs, chosen, onChoose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const go = (index: number) => {
    const next = tabs[(index + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.name);
    list.current?.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map(({ name, title }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-body"
            aria-selected={name === shown?.name}
            tabIndex={name === shown?.name ? 0 : -1}
            onClick={() => onChoose(name)}
            onKeyDown={(event) => {
              const step = STEPS[event.key];
              if (step === undefined && event.key !== "Home" && event.key !== "End") return;
              event.preventDefault();
              go(step === undefined ? (event.key === "Home" ? 0 : -1) : index + step);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div id="tab-body" role="tabpanel" aria-labelledby={`tab-${shown?.name}`}>
        {shown?.body()}
      </div>
    </>
  );
}
