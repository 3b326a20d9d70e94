import { useEffect, useMemo, useRef } from "preact/hooks";
import { usePage } from "../../page.ts";
import { type ItemsInput, toFilter } from "./find-filter.ts";
import { type Item, ItemList } from "./item-list.ts";

export interface FoundItems {
  readonly key: string;
  readonly filter: ItemsInput;
  readonly list: ItemList;
  readonly shown: ItemList;
  readonly rows: readonly Item[];
  onScroll(top: number): void;
}

export function useItemList(): FoundItems {
  const { router, client, live, writer } = usePage();
  const { db, query } = router.place.value;
  const { sel: _sel, ...narrowing } = query;
  const key = JSON.stringify([db, narrowing]);
  const filter = useMemo(() => toFilter(narrowing), [key]);
  const list = useMemo(() => new ItemList(client, { db, filter }), [client, key]);
  const former = useRef(list);
  const isAtTop = useRef(true);
  useEffect(() => {
    void list.load().then(() => {
      former.current = list;
    });
    return () => list.end();
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
  };
  return { key, filter, list, shown, rows, onScroll };
}
