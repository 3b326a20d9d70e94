import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import type { chipsOf, ItemsInput } from "./find-filter.ts";
import { toFilter } from "./find-filter.ts";

interface NothingFoundProps {
  readonly filter: ItemsInput;
  readonly chips: ReturnType<typeof chipsOf>;
}

export function NothingFound({ chips }: NothingFoundProps) {
  const { router } = usePage();
  if (chips.length === 0) {
    return (
      <div class="empty">
        <p>Nothing is stored here yet.</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <p>Nothing passes all of these filters.</p>
      {chips.slice(0, 5).map(({ name, value, without }) => (
        <Without key={`${name} ${value}`} name={name} value={value} without={without} />
      ))}
      <button
        type="button"
        class="button"
        onClick={() => router.go(router.href({ screen: "find" }))}
      >
        Drop all filters
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
        Without {name === "q" ? "words" : name} “{value}”: {total.toLocaleString("en")}
      </button>
    </p>
  );
}
