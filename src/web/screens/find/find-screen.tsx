import { useEffect, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { ActionButton, ActionMenu } from "../../components/action-button.tsx";
import { Button, IconButton } from "../../components/controls.tsx";
import { DayField } from "../../components/day-field.tsx";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions, useTargets } from "../../components/use-screen-actions.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { ItemPanel } from "../item/item-panel.tsx";
import { type Faceted, getValues, type ItemsInput, toggled } from "./find-filter.ts";
import { FindHead } from "./find-head.tsx";
import type { Item } from "./item-list.ts";
import { type FoundItems, Results, type Selection, useItemList, useSelection } from "./results.tsx";

/** Facets in display order, with the server's names. */
const SHOWN: readonly { name: Faceted; facet: string; title: string }[] = [
  { name: "type", facet: "type", title: "Type" },
  { name: "by", facet: "by", title: "Author" },
  { name: "entity", facet: "entity", title: "Entity" },
  { name: "labels", facet: "label", title: "Label" },
  { name: "topic", facet: "topic", title: "Topic" },
];

const VALUES = 8;

function Facets({ filter }: { readonly filter: ItemsInput }) {
  const { router } = usePage();
  const { query } = router.location.value;
  const counted = useQuery(
    "items",
    { ...filter, limit: 1, facets: SHOWN.map(({ facet }) => facet), facet_limit: VALUES },
    { pause: 5_000 },
  );
  const topics = useQuery("list_topics", {}, { pause: 5_000 });
  const topicName = (id: string) =>
    topics.output?.topics.find((topic) => topic.id === id)?.name ?? id;
  return (
    <>
      {SHOWN.map(({ name, facet, title }) => {
        const values = counted.output?.facets?.[facet] ?? [];
        const chosen = getValues(query, name);
        if (values.length < 2 && chosen.length === 0) return null;
        return (
          <fieldset key={name}>
            <legend>{title}</legend>
            {values.map(({ value, count }) => (
              <label key={value} class="facet">
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={() => router.setQuery(toggled(query, name, value), "push")}
                />
                <span class="facet-value" title={value}>
                  <Stored
                    text={
                      name === "topic" ? topicName(value) : value.replace("fact_cluster", "cluster")
                    }
                  />
                </span>
                <span class="count">{count.toLocaleString("en")}</span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

/** Searchable list of everything that is stored. */
export function FindScreen() {
  const { router } = usePage();
  const { sel = "" } = router.location.value.query;
  const found = useItemList();
  const { filter, rows } = found;
  const [isFiltering, setFiltering] = useState(false);
  const selection = useSelection(found.key, rows);
  useListKeys({ rows, sel, selection });
  const openFirst = useOpenFirst(found);
  const counted = useQuery("items", { ...filter, limit: 1, count: true }, { pause: 2_000 });
  const total = counted.output?.total;
  const { chosen, cursor, isAll } = selection;
  const under = rows[cursor]?.id ?? (sel === "" ? undefined : sel);
  const ids = chosen.size > 0 ? [...chosen] : under === undefined ? [] : [under];
  useTargets(isAll ? { ids: [], matching: filter, count: total ?? 0 } : { ids, count: ids.length });
  return (
    <div class="find" data-panel={sel !== ""}>
      <h1 class="unseen">Memory</h1>
      <FindHead total={total} onOpenFirst={openFirst} onFilter={() => setFiltering(true)} />
      <div class="find-body">
        <FilterSheet filter={filter} isOpen={isFiltering} onClose={() => setFiltering(false)} />
        <section class="results" aria-label="Results">
          <Results found={found} total={total} selection={selection} />
          <BulkBar selection={selection} total={total} loaded={rows.length} />
        </section>
        {sel !== "" && <ItemPanel id={sel} onClose={() => router.setQuery({ sel: "" }, "push")} />}
      </div>
    </div>
  );
}

/** Opens the first result of the last typed query, once it has loaded. */
function useOpenFirst({ list }: FoundItems): () => void {
  const { router } = usePage();
  const isRequested = useRef(false);
  const rows = list.rows.value;
  const open = () => {
    isRequested.current = rows === undefined;
    const first = rows?.[0]?.id;
    if (first !== undefined) router.setQuery({ sel: first }, "push");
  };
  useEffect(() => {
    if (isRequested.current && rows !== undefined) open();
  }, [rows]);
  return open;
}

interface FilterSheetProps {
  readonly filter: ItemsInput;
  readonly isOpen: boolean;
  onClose(): void;
}

/** All filters of the list: the day and the values of each facet. */
function FilterSheet({ filter, isOpen, onClose }: FilterSheetProps) {
  const { router } = usePage();
  const { since = "", until = "" } = router.location.value.query;
  const day = since !== "" && since === until ? since : "";
  return (
    <section
      class="facets"
      aria-label="Filters"
      data-open={isOpen}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) onClose();
      }}
    >
      <div class="sheet-head narrow-only">
        <h2>Filters</h2>
        <IconButton icon="close" label="Close filters" onClick={onClose} />
      </div>
      <fieldset>
        <legend>Day</legend>
        <DayField
          value={day}
          onChange={(chosen) => router.setQuery({ since: chosen, until: chosen }, "push")}
        />
      </fieldset>
      <Facets filter={filter} />
      <Button kind="primary narrow-only" onClick={onClose}>
        Show results
      </Button>
    </section>
  );
}

interface BulkBarProps {
  readonly selection: Selection;
  readonly total: number | undefined;
  readonly loaded: number;
}

function BulkBar({ selection, total = 0, loaded }: BulkBarProps) {
  const { isAll, chosen, chooseAll, clear } = selection;
  const count = isAll ? total : chosen.size;
  if (count === 0) return null;
  return (
    <div class="bulk" role="toolbar" aria-label="Bulk actions">
      <strong>{count.toLocaleString("en")} selected</strong>
      {["reviewed", "label", "topic", "delete"].map((id) => (
        <ActionButton key={id} id={id} />
      ))}
      <ActionMenu targets={{ ids: isAll ? [] : [...chosen], count: chosen.size }} />
      {!isAll && total > loaded && (
        <Button onClick={chooseAll}>Select all {total.toLocaleString("en")}</Button>
      )}
      <Button kind="quiet" onClick={clear}>
        Clear
      </Button>
    </div>
  );
}

interface ListKeys {
  readonly rows: readonly Item[];
  readonly sel: string;
  readonly selection: Selection;
}

function useListKeys({ rows, sel, selection }: ListKeys): void {
  const { router } = usePage();
  const cursor = Math.max(0, selection.cursor);
  const moveBy = (step: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, selection.cursor + step));
    selection.setCursor(next);
    const id = rows[next]?.id;
    if (sel !== "" && id !== undefined) router.setQuery({ sel: id });
  };
  const leave = () => {
    if (selection.chosen.size === 0 && !selection.isAll) router.setQuery({ sel: "" });
    selection.clear();
  };
  const action = (id: string, title: string, keys: readonly string[], run: () => void): Action => ({
    ...{ id, title, keys, run },
    group: "Lists",
  });
  useScreenActions([
    action("next", "Next item", ["j", "ArrowDown"], () => moveBy(1)),
    action("previous", "Previous item", ["k", "ArrowUp"], () => moveBy(-1)),
    action("show", "Open in side panel", ["Enter"], () =>
      router.setQuery({ sel: rows[cursor]?.id ?? "" }, "push"),
    ),
    action("choose", "Select", ["x"], () => selection.choose(cursor, false)),
    action("choose-all", "Select all", ["Mod+a"], selection.chooseAll),
    action("leave", "Clear selection or close panel", ["Escape"], leave),
  ]);
}
