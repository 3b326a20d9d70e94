import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemSummary } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { Client } from "../../data/client.ts";
import { usePage } from "../../page.ts";
import { getChips, type ItemsInput, toFilter } from "./find-filter.ts";
import type { Item } from "./item-list.ts";
import { ItemList } from "./item-list.ts";

/** The last displayed list, restored on Back. */
interface RememberedList {
  readonly key: string;
  readonly list: ItemList;
  top: number;
}

const remembered = new WeakMap<Client, RememberedList>();

export interface FoundItems {
  readonly key: string;
  readonly filter: ItemsInput;
  readonly list: ItemList;
  readonly shown: ItemList;
  readonly rows: readonly Item[];
  /** Scroll position to restore, in pixels. */
  readonly initialTop: number;
  onScroll(top: number): void;
}

export function useItemList(): FoundItems {
  const { router, client, live, writer } = usePage();
  const { db, query } = router.location.value;
  const { sel: _sel, ...narrowing } = query;
  const key = JSON.stringify([db, narrowing]);
  const filter = useMemo(() => toFilter(narrowing), [key]);
  const shownLast = useMemo(() => {
    const last = remembered.get(client);
    if (last?.key === key) return last;
    last?.list.end();
    const next = { key, list: new ItemList(client, { db, filter }), top: 0 };
    remembered.set(client, next);
    return next;
  }, [client, key]);
  const { list } = shownLast;
  const previous = useRef(list);
  const isAtTop = useRef(shownLast.top < 8);
  useEffect(() => {
    if (list.rows.peek() !== undefined) return list.renew(isAtTop.current);
    void list.load().then(() => {
      previous.current = list;
    });
  }, [list]);
  const revision = live.revision.value;
  useEffect(() => {
    if (revision > 0) list.renew(isAtTop.current);
  }, [list, revision]);
  const shown = list.rows.value === undefined ? previous.current : list;
  const optimistic = writer.optimistic.value;
  const rows = (shown.rows.value ?? []).filter(({ id }) => optimistic.get(id)?.isRemoved !== true);
  const onScroll = (top: number) => {
    isAtTop.current = top < 8;
    shownLast.top = top;
  };
  return { key, initialTop: shownLast.top, filter, list, shown, rows, onScroll };
}

/** Row height in pixels, which suits touch. */
const ROW_PX = 44;

interface ResultsProps {
  readonly found: FoundItems;
  readonly total: number | undefined;
  readonly selection: Selection;
}

export function Results({ found, total, selection }: ResultsProps) {
  const { router } = usePage();
  const { list, shown, rows, filter } = found;
  const words = getWords(filter.text ?? "");
  const { query } = router.location.value;
  const failure = list.failure.value;
  const isThere = list.rows.value !== undefined;
  const onEnd = useCallback(() => void shown.more(), [shown]);
  const news = shown.news.value.length;
  return (
    <>
      {news > 0 && (
        <button type="button" class="news" onClick={() => shown.showNews()}>
          Show {news} new
        </button>
      )}
      {failure !== undefined && <Failure error={failure} retry={() => void list.load()} />}
      {!isThere && failure === undefined && rows.length === 0 && <Loading rows={10} />}
      {isThere && rows.length === 0 && <NothingFound isFiltered={getChips(query).length > 0} />}
      {rows.length > 0 && (
        <VirtualList
          count={rows.length}
          total={total}
          rowHeight={ROW_PX}
          label="Items"
          cursor={selection.cursor}
          keyOf={(index) => rows[index]?.id ?? ""}
          onEnd={onEnd}
          initialTop={found.initialTop}
          onScroll={found.onScroll}
          row={(index) => {
            const item = rows[index];
            if (item === undefined) return null;
            return (
              <ItemRow
                item={item}
                words={words}
                isChosen={selection.isAll || selection.chosen.has(item.id)}
                onChoose={(isRange) => selection.choose(index, isRange)}
                onOpen={() => {
                  selection.setCursor(index);
                  router.setQuery({ sel: item.id }, "push");
                }}
              />
            );
          }}
        />
      )}
    </>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  const { router } = usePage();
  if (!isFiltered) return <p class="empty">No memories yet.</p>;
  return (
    <div class="empty">
      <p>No items match these filters.</p>
      <Button onClick={() => router.go(router.href({ screen: "find" }))}>Clear all filters</Button>
    </div>
  );
}

interface ItemRowProps {
  readonly item: Item;
  /** Words of the search, which are highlighted. */
  readonly words: readonly string[];
  readonly isChosen: boolean;
  onOpen(): void;
  onChoose(isRange: boolean): void;
}

function ItemRow({ item, words, isChosen, onOpen, onChoose }: ItemRowProps) {
  const { writer, drafts, router } = usePage();
  const optimistic = writer.optimistic.value.get(item.id);
  const processed = optimistic?.processed ?? item.processed;
  return (
    <>
      <span class="cell-check" role="gridcell">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${item.id}`}
          checked={isChosen}
          onClick={(event) => onChoose(event.shiftKey)}
        />
      </span>
      <div class="cell-main" role="gridcell" data-gone={optimistic?.isRemoved} onClick={onOpen}>
        <TypeBadge type={item.kind === "fact" ? "fact" : item.type} />
        <span class="row-text">
          <ItemSummary
            item={item.kind === "entity" ? { ...item, text: getMentions(item) } : item}
            chars={300}
            highlighted={words}
          />
        </span>
        <Marks item={item} />
        {drafts.has({ db: router.location.value.db, id: item.id }) && (
          <span class="mark warn">unsaved draft</span>
        )}
        {processed === false && <span class="dot" title="Unreviewed" />}
        <Stored as="span" class="row-by" text={item.asserted_by ?? ""} />
        <Age at={item.at} />
      </div>
    </>
  );
}

function getWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 1);
}

function getMentions({ mention_count: count }: Item): string {
  return count === 1 ? "1 mention" : `${count} mentions`;
}

export interface Selection {
  readonly chosen: ReadonlySet<string>;
  /** True if all matches are selected, including rows that are not loaded. */
  readonly isAll: boolean;
  /** Row under the cursor; -1 for none. */
  readonly cursor: number;
  setCursor(index: number): void;
  choose(index: number, isRange: boolean): void;
  chooseAll(): void;
  clear(): void;
}

export function useSelection(key: string, rows: readonly Item[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [cursor, setCursor] = useState(-1);
  const clear = () => {
    setChosen(new Set());
    setAll(false);
  };
  useEffect(() => {
    clear();
    setCursor(-1);
  }, [key]);
  const choose = (index: number, isRange: boolean) => {
    const next = new Set(chosen);
    const [first, last] =
      isRange && cursor >= 0 ? [Math.min(cursor, index), Math.max(cursor, index)] : [index, index];
    const isAdding = !chosen.has(rows[index]?.id ?? "");
    for (const { id } of rows.slice(first, last + 1)) {
      if (isAdding) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
    setAll(false);
    setCursor(index);
  };
  return { chosen, isAll, cursor, setCursor, choose, clear, chooseAll: () => setAll(true) };
}
