import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { BIN_PARTS } from "./bin-parts.ts";
import { BinRows, SaveBin } from "./bin-rows.tsx";

export function BinScreen() {
  const { router } = usePage();
  const episodes = useQuestion("list_deleted_episodes", { limit: 1 });
  const concepts = useQuestion("list_deleted_concepts", { limit: 1 });
  const { failure, again } = episodes.failure === undefined ? concepts : episodes;
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (episodes.output === undefined || concepts.output === undefined) return <Waiting rows={6} />;
  const totals = { episodes: episodes.output.total, concepts: concepts.output.total };
  const present = totals.episodes === 0 && totals.concepts > 0 ? "concepts" : "episodes";
  const asked = router.place.value.query.part ?? present;
  const part = BIN_PARTS.find(({ name }) => name === asked) ?? BIN_PARTS[0];
  return (
    <div class="page-body">
      <h1>Bin</h1>
      <p class="quiet">
        What is deleted no longer counts, and stays here until <code>cairn purge</code> forgets it
        for good.
      </p>
      <nav class="tabs" aria-label="Parts of the bin">
        {BIN_PARTS.map(({ name, title }) => (
          <Link
            key={name}
            to={router.href({ screen: "bin", query: { part: name } })}
            aria-current={name === part.name ? "page" : undefined}
          >
            {title} <span class="count">{totals[name].toLocaleString("en")}</span>
          </Link>
        ))}
      </nav>
      {totals[part.name] === 0 ? (
        <p class="empty">Nothing was deleted.</p>
      ) : (
        <>
          <SaveBin of={part} />
          <ul class="lines">
            <BinRows key={part.name} of={part} />
          </ul>
        </>
      )}
    </div>
  );
}
