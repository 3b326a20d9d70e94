import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { CopyMenu } from "../../components/copy-menu.tsx";
import { Failure } from "../../components/failure.tsx";
import { Icon } from "../../components/icon.tsx";
import { useScreenActions, useTargets } from "../../components/use-screen-actions.ts";
import { VirtualList } from "../../components/virtual-list.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ItemPanel } from "../item/item-panel.tsx";
import { Facets } from "./facets.tsx";
import { asCommand, chipsOf, toFilter } from "./find-filter.ts";
import { ItemList } from "./item-list.ts";
import { ItemRow } from "./item-row.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { SearchField } from "./search-field.tsx";

const ROW = { normal: 44, compact: 34 } as const;

/** One list of all that is stored. */
export function FindScreen() {
  const { router, client, live, preferences, writer } = usePage();
  const { db, query } = router.place.value;
  const { sel = "", ...narrowing } = query;
  const key = JSON.stringify([db, narrowing]);
  const filter = useMemo(() => toFilter(narrowing), [key]);
  const list = useMemo(() => new ItemList(client, { db, filter }), [client, key]);
  const former = useRef(list);
  const isAtTop = useRef(true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [cursor, setCursor] = useState(-1);
  useEffect(() => {
    void list.load().then(() => {
      former.current = list;
    });
    setChosen(new Set());
    setAll(false);
    setCursor(-1);
    return () => list.end();
  }, [list]);
  const revision = live.revision.value;
  useEffect(() => {
    if (revision > 0) list.renew(isAtTop.current);
  }, [list, revision]);

  // While another list is on its way, the one before stays.
  const shown = list.rows.value === undefined ? former.current : list;
  const foreseen = writer.foreseen.value;
  const rows = (shown.rows.value ?? []).filter(({ id }) => foreseen.get(id)?.isGone !== true);
  const counted = useQuestion("items", { ...filter, limit: 1, count: true }, { pause: 2_000 });
  const total = counted.output?.total;

  const state = useRef({ rows, cursor, chosen, sel });
  state.current = { rows, cursor, chosen, sel };
  const moveTo = useCallback(
    (index: number) => {
      const { rows: present, sel: open } = state.current;
      const at = Math.max(0, Math.min(present.length - 1, index));
      setCursor(at);
      const id = present[at]?.id;
      if (open !== "" && id !== undefined) router.setQuery({ sel: id });
    },
    [router],
  );
  const choose = useCallback((index: number, isRange: boolean) => {
    const { rows: present, chosen: former_, cursor: from } = state.current;
    const next = new Set(former_);
    const [first, last] =
      isRange && from >= 0 ? [Math.min(from, index), Math.max(from, index)] : [index, index];
    const isAdding = !former_.has(present[index]?.id ?? "");
    for (const { id } of present.slice(first, last + 1)) {
      if (isAdding) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
    setAll(false);
    setCursor(index);
  }, []);
  const actions = useMemo((): readonly Action[] => {
    const at = () => state.current.cursor;
    return [
      {
        id: "next",
        title: "Next item",
        group: "Lists",
        keys: ["j", "ArrowDown"],
        run: () => moveTo(at() + 1),
      },
      {
        id: "previous",
        title: "Previous item",
        group: "Lists",
        keys: ["k", "ArrowUp"],
        run: () => moveTo(at() - 1),
      },
      {
        id: "show",
        title: "Show beside the list",
        group: "Lists",
        keys: ["Enter"],
        run: () =>
          router.setQuery({ sel: state.current.rows[Math.max(0, at())]?.id ?? "" }, "push"),
      },
      {
        id: "choose",
        title: "Select",
        group: "Lists",
        keys: ["x"],
        run: () => choose(Math.max(0, at()), false),
      },
      {
        id: "choose-all",
        title: "Select all that match",
        group: "Lists",
        keys: ["Mod+a"],
        run: () => setAll(true),
      },
      {
        id: "leave",
        title: "Close, or clear the selection",
        group: "Lists",
        keys: ["Escape"],
        run: () => {
          if (state.current.chosen.size > 0) setChosen(new Set());
          else router.setQuery({ sel: "" });
          setAll(false);
        },
      },
    ];
  }, [router, moveTo, choose]);
  useScreenActions(actions);
  const under = rows[cursor]?.id ?? (sel === "" ? undefined : sel);
  const ids = chosen.size > 0 ? [...chosen] : under === undefined ? [] : [under];
  useTargets(isAll ? { ids: [], matching: filter, count: total ?? 0 } : { ids, count: ids.length });

  const failure = list.failure.value;
  const bulk = isAll ? (total ?? 0) : chosen.size;
  const onEnd = useCallback(() => void shown.more(), [shown]);
  const chips = chipsOf(narrowing);
  return (
    <div class="find" data-panel={sel !== ""}>
      <h1 class="unseen">Find</h1>
      <div class="find-head">
        <SearchField text={query.q ?? ""} />
        <select
          aria-label="Order"
          value={query.sort ?? "newest"}
          onChange={({ currentTarget }) => router.setQuery({ sort: currentTarget.value }, "push")}
        >
          <option value="newest">newest first</option>
          <option value="oldest">oldest first</option>
          <option value="updated">last changed first</option>
        </select>
        <span class="total" role="status">
          {total === undefined ? "" : `${total.toLocaleString("en")} items`}
        </span>
        <CopyMenu
          of={[
            { title: "cairn", text: asCommand(narrowing, db) },
            { title: "link", text: location.href },
          ]}
        />
      </div>
      {chips.length > 0 && (
        <ul class="chips" aria-label="Active filters">
          {chips.map(({ name, value, without }) => (
            <li key={`${name} ${value}`}>
              <button
                type="button"
                class="chip"
                aria-label={`Remove the filter ${name} ${value}`}
                onClick={() => router.setQuery(without, "push")}
              >
                {name === "q" ? "words" : name}: {value} <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="find-body">
        <Facets filter={filter} />
        <section class="results" aria-label="Results">
          {shown.news.value.length > 0 && (
            <button type="button" class="news" onClick={() => shown.showNews()}>
              {shown.news.value.length} new, show
            </button>
          )}
          {failure !== undefined && <Failure of={failure} again={() => void list.load()} />}
          {list.rows.value === undefined && failure === undefined && rows.length === 0 && (
            <Waiting rows={10} />
          )}
          {list.rows.value !== undefined && rows.length === 0 && (
            <NothingFound filter={filter} chips={chips} />
          )}
          {rows.length > 0 && (
            <VirtualList
              count={rows.length}
              total={total}
              rowHeight={ROW[preferences.choices.value.density]}
              label="Items"
              cursor={cursor}
              keyOf={(index) => rows[index]?.id ?? ""}
              onEnd={onEnd}
              onScroll={(top) => {
                isAtTop.current = top < 8;
              }}
              row={(index) => {
                const item = rows[index];
                if (item === undefined) return null;
                return (
                  <ItemRow
                    item={item}
                    isChosen={isAll || chosen.has(item.id)}
                    onChoose={(isRange) => choose(index, isRange)}
                    onOpen={() => {
                      setCursor(index);
                      router.setQuery({ sel: item.id }, "push");
                    }}
                  />
                );
              }}
            />
          )}
          {bulk > 0 && (
            <div class="bulk" role="toolbar" aria-label="Actions on the selection">
              <strong>{bulk.toLocaleString("en")} selected</strong>
              {["reviewed", "label", "topic", "delete"].map((id) => (
                <ActionButton key={id} id={id} />
              ))}
              {!isAll && total !== undefined && total > rows.length && (
                <button type="button" class="button" onClick={() => setAll(true)}>
                  All {total.toLocaleString("en")} that match
                </button>
              )}
              <button
                type="button"
                class="button quiet"
                onClick={() => {
                  setChosen(new Set());
                  setAll(false);
                }}
              >
                Clear
              </button>
            </div>
          )}
        </section>
        {sel !== "" && <ItemPanel id={sel} onClose={() => router.setQuery({ sel: "" }, "push")} />}
      </div>
    </div>
  );
}
