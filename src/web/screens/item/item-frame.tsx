import type { ComponentChildren } from "preact";
import type { Presentable } from "../../../memory/presentation/index.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { MoreWrites } from "../../components/more-writes.tsx";
import { Stored } from "../../components/stored.tsx";
import { type Tab, Tabs } from "../../components/tabs.tsx";
import { usePage } from "../../page.ts";
import { HistoryTab } from "./history-tab.tsx";
import { Properties } from "./properties.tsx";

export interface Heading {
  readonly type: string;
  readonly at: string;
  readonly by?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly open_conflicts?: readonly string[] | undefined;
  /** False: recall gives what is about it, never itself. */
  readonly isRecalled?: false;
}

interface ItemFrameProps {
  readonly id: string;
  readonly title: string;
  readonly heading: Heading;
  readonly raw: unknown;
  readonly record?: Presentable;
  /** Further tabs before history. */
  readonly tabs?: readonly Tab[];
  readonly canEdit: boolean;
  readonly children: ComponentChildren;
  onEdit?(): void;
}

const ITEM_BUTTONS = ["supersede", "reviewed", "label", "topic", "show-in-map", "delete"] as const;

/** What all items have around what they say. */
export function ItemFrame(props: ItemFrameProps) {
  const { id, title, heading, raw, record = {}, tabs = [], canEdit, children, onEdit } = props;
  const { router } = usePage();
  const { query } = router.place.value;
  const { as_of: then } = query;
  const all = [
    ...tabs,
    { name: "history", title: "History", body: () => <HistoryTab id={id} /> },
    {
      name: "json",
      title: "JSON",
      body: () => <pre class="json">{JSON.stringify(raw, null, 2)}</pre>,
    },
  ];
  const targets = { ids: [id], count: 1 };
  return (
    <article class="item">
      <header>
        <p class="item-line">
          <Stored as="span" class="id code" text={id} />
          <TypeBadge type={heading.type} />
          <Marks of={heading} />
          {then && heading.at.slice(0, 10) > then && (
            <span class="mark warn">was not there yet on {then}</span>
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
      <Properties of={record} />
      <div class="item-actions">
        {canEdit && onEdit !== undefined && (
          <button type="button" class="button" onClick={onEdit}>
            Edit
          </button>
        )}
        {ITEM_BUTTONS.filter((action) => action !== "supersede" || heading.status === "active").map(
          (action) => (
            <ActionButton key={action} id={action} targets={targets} />
          ),
        )}
        <MoreWrites targets={targets} />
      </div>
      <Tabs
        label="More of it"
        of={all}
        chosen={query.tab}
        onChoose={(tab) => router.setQuery({ tab })}
      />
    </article>
  );
}
