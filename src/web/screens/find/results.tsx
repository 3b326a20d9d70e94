import { useCallback } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { chipsOf } from "./find-filter.ts";
import { ItemRow } from "./item-row.tsx";
import { NothingFound } from "./nothing-found.tsx";
import type { FoundItems } from "./use-item-list.ts";
import type { Selection } from "./use-selection.ts";

/** A line for each item; a finger needs two. */
const ROW = { normal: 44, compact: 34 } as const;

interface ResultsProps {
  readonly found: FoundItems;
  readonly total: number | undefined;
  readonly selection: Selection;
}

export function Results({ found, total, selection }: ResultsProps) {
  const { router, preferences } = usePage();
  const { list, shown, rows, filter } = found;
  const { sel: _sel, ...narrowing } = router.place.value.query;
  const failure = list.failure.value;
  const isThere = list.rows.value !== undefined;
  const onEnd = useCallback(() => void shown.more(), [shown]);
  const news = shown.news.value.length;
  return (
    <>
      {news > 0 && (
        <button type="button" class="news" onClick={() => shown.showNews()}>
          {news} new, show
        </button>
      )}
      {failure !== undefined && <Failure of={failure} again={() => void list.load()} />}
      {!isThere && failure === undefined && rows.length === 0 && <Waiting rows={10} />}
      {isThere && rows.length === 0 && <NothingFound filter={filter} chips={chipsOf(narrowing)} />}
      {rows.length > 0 && (
        <VirtualList
          count={rows.length}
          total={total}
          rowHeight={ROW[preferences.choices.value.density]}
          label="Items"
          cursor={selection.cursor}
          keyOf={(index) => rows[index]?.id ?? ""}
          onEnd={onEnd}
          onScroll={found.onScroll}
          row={(index) => {
            const item = rows[index];
            if (item === undefined) return null;
            return (
              <ItemRow
                item={item}
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
