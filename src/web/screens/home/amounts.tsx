import type { OutputOf } from "../../../memory/index.ts";
import { Link } from "../../components/link.tsx";
import { usePage } from "../../page.ts";

/** How many of each kind there are, each a way to their list. */
export function Amounts({ of }: { readonly of: OutputOf<"stats"> }) {
  const { router } = usePage();
  const amounts = [
    { kind: "episode", count: of.episodes.total, title: "episodes" },
    { kind: "fact", count: of.facts.active, title: "facts that hold" },
    { kind: "concept", count: of.concepts.total, title: "concepts" },
    { kind: "entity", count: of.entities, title: "entities" },
  ];
  return (
    <ul class="numbers">
      {amounts.map(({ kind, count, title }) => (
        <li key={kind}>
          <Link to={router.href({ screen: "find", query: { kinds: kind } })}>
            <strong>{count.toLocaleString("en")}</strong> {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
