import { Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { type Faceted, type ItemsInput, toggled, valuesOf } from "./find-filter.ts";

/** The server's names of the facets, in the order in which they are shown. */
const SHOWN: readonly { name: Faceted; facet: string; title: string }[] = [
  { name: "type", facet: "type", title: "Type" },
  { name: "by", facet: "by", title: "By" },
  { name: "entity", facet: "entity", title: "Entity" },
  { name: "labels", facet: "label", title: "Label" },
  { name: "topic", facet: "topic", title: "Topic" },
];

const VALUES = 8;

export function Facets({ filter }: { readonly filter: ItemsInput }) {
  const { router } = usePage();
  const { query } = router.place.value;
  const counted = useQuestion(
    "items",
    { ...filter, limit: 1, facets: SHOWN.map(({ facet }) => facet), facet_limit: VALUES },
    { pause: 5_000 },
  );
  const topics = useQuestion("list_topics", {}, { pause: 5_000 });
  const topicName = (id: string) =>
    topics.output?.topics.find((topic) => topic.id === id)?.name ?? id;
  return (
    <>
      {SHOWN.map(({ name, facet, title }) => {
        const values = counted.output?.facets?.[facet] ?? [];
        const chosen = valuesOf(query, name);
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
