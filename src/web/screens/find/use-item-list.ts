import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Client } from "../../data/client.ts";
import { usePage } from "../../page.ts";
import { type ItemsInput, toFilter } from "./find-filter.ts";
import { type Item, ItemList } from "./item-list.ts";

/** The list that was shown last, so that Back finds it as it was. */
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
  const { db, query } = router.place.value;
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
  const former = useRef(list);
  const isAtTop = useRef(shownLast.top < 8);
  useEffect(() => {
    if (list.rows.peek() !== undefined) return list.renew(isAtTop.current);
    void list.load().then(() => {
      former.current = list;
    });
  }, [list]);
  const revision = live.revision.value;
  useEffect(() => {
    if (revision > 0) list.renew(isAtTop.current);
  }, [list, revision]);
  const shown = list.rows.value === undefined ? former.current : list;
  const foreseen = writer.foreseen.value;
  const rows = (shown.rows.value ?? []).filter(({ id }) => foreseen.get(id)?.isGone !== true);
  const onScroll = (top: number) => {
    isAtTop.current = top < 8;
    shownLast.top = top;
  };
  return { key, initialTop: shownLast.top, filter, list, shown, rows, onScroll };
}
