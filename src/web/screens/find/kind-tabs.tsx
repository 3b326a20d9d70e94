import { Link } from "../../components/link.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { DEFAULT_KINDS, toFilter } from "./find-filter.ts";

const TABS = [
  { kinds: "", title: "Memories" },
  { kinds: "fact", title: "Facts" },
  { kinds: "concept", title: "Concepts" },
  { kinds: "entity", title: "Entities" },
] as const;

export function KindTabs() {
  const { router } = usePage();
  const { query } = router.place.value;
  const { sel: _sel, ...narrowing } = query;
  const counted = useQuestion(
    "items",
    {
      ...toFilter(narrowing),
      kinds: ["episode", "fact", "concept", "entity"],
      limit: 1,
      facets: ["kind"],
    },
    { pause: 5_000 },
  );
  const counts = new Map(counted.output?.facets?.kind?.map(({ value, count }) => [value, count]));
  return (
    <nav class="tabs kind-tabs" aria-label="Kinds">
      {TABS.map(({ kinds, title }) => {
        const names = kinds === "" ? DEFAULT_KINDS : [kinds];
        const count = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
        return (
          <Link
            key={title}
            to={router.href({ screen: "find", query: { ...narrowing, kinds } })}
            aria-current={(query.kinds ?? "") === kinds ? "page" : undefined}
          >
            {title}
            {counts.size > 0 && <span class="count">{count.toLocaleString("en")}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
