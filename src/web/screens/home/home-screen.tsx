import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ItemLines } from "../item/item-lines.tsx";

export function HomeScreen() {
  const { router } = usePage();
  const stats = useQuestion("stats", {}, { pause: 10_000 });
  const newest = useQuestion(
    "items",
    { limit: 12, kinds: ["episode"], sort: "updated" },
    { pause: 2_000 },
  );
  return (
    <div class="page-body">
      <h1>{router.place.value.db}</h1>
      {stats.output === undefined ? (
        <Waiting rows={2} />
      ) : (
        <p>
          {stats.output.episodes.total.toLocaleString("en")} episodes, {stats.output.concepts.total}{" "}
          concepts, {stats.output.facts.active} facts that hold.{" "}
          <Link to={router.href({ screen: "find" })}>Find</Link>
        </p>
      )}
      <ItemLines of={newest.output?.items ?? []} />
    </div>
  );
}
