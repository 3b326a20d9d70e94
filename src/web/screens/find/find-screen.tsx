import { useState } from "preact/hooks";
import { useTargets } from "../../components/use-screen-actions.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ItemPanel } from "../item/item-panel.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { FilterSheet } from "./filter-sheet.tsx";
import { FindHead } from "./find-head.tsx";
import { Results } from "./results.tsx";
import { useItemList } from "./use-item-list.ts";
import { useListKeys } from "./use-list-keys.ts";
import { useSelection } from "./use-selection.ts";

/** One list of all that is stored. */
export function FindScreen() {
  const { router } = usePage();
  const { sel = "" } = router.place.value.query;
  const found = useItemList();
  const { filter, rows } = found;
  const [isFiltering, setFiltering] = useState(false);
  const selection = useSelection(found.key, rows);
  useListKeys({ rows, sel, selection });
  const counted = useQuestion("items", { ...filter, limit: 1, count: true }, { pause: 2_000 });
  const total = counted.output?.total;
  const { chosen, cursor, isAll } = selection;
  const under = rows[cursor]?.id ?? (sel === "" ? undefined : sel);
  const ids = chosen.size > 0 ? [...chosen] : under === undefined ? [] : [under];
  useTargets(isAll ? { ids: [], matching: filter, count: total ?? 0 } : { ids, count: ids.length });
  return (
    <div class="find" data-panel={sel !== ""}>
      <h1 class="unseen">Find</h1>
      <FindHead total={total} onFilter={() => setFiltering(true)} />
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
