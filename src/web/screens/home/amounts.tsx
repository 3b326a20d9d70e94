import type { OutputOf } from "../../../memory/index.ts";
import { Link } from "../../components/link.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

export function AmountsThen({ day }: { readonly day: string }) {
  return (
    <ul class="numbers">
      {(["episode", "fact", "concept", "entity"] as const).map((kind) => (
        <AmountThen key={kind} kind={kind} day={day} />
      ))}
    </ul>
  );
}

const TITLES = {
  episode: "episodes",
  fact: "facts that held",
  concept: "concepts",
  entity: "entities",
} as const;

function AmountThen({ kind, day }: { readonly kind: keyof typeof TITLES; readonly day: string }) {
  const { router } = usePage();
  const asked = { kinds: [kind], as_of: day, count: true, limit: 1 };
  const { output } = useQuestion("items", asked, { pause: 10_000 });
  return (
    <li>
      <Link to={router.href({ screen: "find", query: { kinds: kind } })}>
        <strong>{output?.total?.toLocaleString("en") ?? "…"}</strong> {TITLES[kind]}
      </Link>
    </li>
  );
}

/** Number of of each kind there are, each a way to their list. */
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
