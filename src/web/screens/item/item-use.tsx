import { Age } from "../../components/age.tsx";
import { Link } from "../../components/link.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

/** In how many answers an item was; nothing where no recall is kept. */
export function ItemUse({ id }: { readonly id: string }) {
  const { router } = usePage();
  const { output } = useQuestion("recall_use", { ids: id }, { pause: 5_000 });
  const [use] = output?.items ?? [];
  if (use === undefined || output?.since == null) return null;
  const { given, cut, last_at: last } = use;
  if (given + cut === 0)
    return <p class="quiet item-use">In no answer since {output.since.slice(0, 10)}.</p>;
  return (
    <p class="quiet item-use">
      <Link to={router.href({ screen: "recalls", query: { item: id } })}>
        Used in {given} {given === 1 ? "answer" : "answers"}
      </Link>
      {last !== null && (
        <>
          , last <Age at={last} />
        </>
      )}
      {cut > 0 && `, cut off ${cut} times`}
    </p>
  );
}
