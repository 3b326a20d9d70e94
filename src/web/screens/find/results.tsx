import { useCallback } from "preact/hooks";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemWords } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { chipsOf, type ItemsInput, toFilter } from "./find-filter.ts";
import type { Item } from "./item-list.ts";
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
  const words = wordsOf(filter.text ?? "");
  const { sel: _sel, ...narrowing } = router.place.value.query;
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

interface NothingFoundProps {
  readonly filter: ItemsInput;
  readonly chips: ReturnType<typeof chipsOf>;
}

function NothingFound({ chips }: NothingFoundProps) {
  const { router } = usePage();
  if (chips.length === 0) {
    return (
      <div class="empty">
        <p>No memories yet.</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <p>No items match these filters.</p>
      {chips.slice(0, 5).map(({ name, value, without }) => (
        <Without key={`${name} ${value}`} name={name} value={value} without={without} />
      ))}
      <button
        type="button"
        class="button"
        onClick={() => router.go(router.href({ screen: "find" }))}
      >
        Clear all filters
      </button>
    </div>
  );
}

function Without({ name, value, without }: ReturnType<typeof chipsOf>[number]) {
  const { router } = usePage();
  const { query } = router.place.value;
  const { sel: _sel, ...rest } = { ...query, ...without } as Record<string, string>;
  const counted = useQuestion("items", { ...toFilter(rest), limit: 1, count: true });
  const total = counted.output?.total;
  if (total === undefined) return null;
  return (
    <p>
      <button type="button" class="button" onClick={() => router.setQuery(without, "push")}>
        Without {name === "q" ? "search" : name} “{value}”: {total.toLocaleString("en")}
      </button>
    </p>
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
  const foreseen = writer.foreseen.value.get(item.id);
  const processed = foreseen?.processed ?? item.processed;
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
      <div class="cell-main" role="gridcell" data-gone={foreseen?.isGone} onClick={onOpen}>
        <TypeBadge type={item.kind === "fact" ? "fact" : item.type} />
        <span class="row-text">
          <ItemWords
            of={item.kind === "entity" ? { ...item, text: mentionsOf(item) } : item}
            chars={300}
            highlighted={words}
          />
        </span>
        <Marks of={item} />
        {drafts.has({ db: router.place.value.db, id: item.id }) && (
          <span class="mark warn">unsaved draft</span>
        )}
        {processed === false && <span class="dot" title="Unreviewed" />}
        <Stored as="span" class="row-by" text={item.asserted_by ?? ""} />
        <Age at={item.at} />
      </div>
    </>
  );
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word.length > 1);
}

function mentionsOf({ mention_count: count }: Item): string {
  return count === 1 ? "1 mention" : `${count} mentions`;
}
