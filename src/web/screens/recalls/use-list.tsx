import type { InputOf, OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { NamedItem } from "../../components/named-item.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

type List = NonNullable<InputOf<"recall_use">["list"]>;

type Used = OutputOf<"recall_use">["items"][number];

const SAYS: Readonly<Record<List, string>> = {
  never: "No recall that is kept found these, the oldest first.",
  cut: "Found, and there was never room: shorten them, or what stands before them.",
  contradicted: "In conflicts more often than others: settle what holds.",
  most: "In the most answers.",
};
const MOST = 100;

/** Items that stand out of the log. */
export function UseList({ list }: { readonly list: List }) {
  const { router } = usePage();
  const { output, failure, again } = useQuestion("recall_use", { list, limit: MOST });
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={6} />;
  const { items, recalls, since } = output;
  return (
    <>
      <p class="quiet">
        {SAYS[list]}{" "}
        {since === null
          ? "No recall is kept yet."
          : `Of ${recalls.toLocaleString("en")} recalls since ${since.slice(0, 10)}.`}
      </p>
      {items.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <SaveList
          name={`${list}-recalled`}
          columns={fields<Used>(
            ...(["id", "type", "text", "given", "cut", "conflicts", "last_at"] as const),
          )}
          pages={() => allAtOnce(items)}
        />
      )}
      <ul class="lines">
        {items.map(({ id, type, text, given, cut, conflicts, last_at: last }) => (
          <li key={id}>
            <NamedItem id={id} type={type} text={text} />
            <span class="quiet">
              {conflicts !== undefined &&
                `${conflicts} ${conflicts === 1 ? "conflict" : "conflicts"}, `}
              {given + cut === 0 ? (
                "never found"
              ) : (
                <Link to={router.href({ screen: "recalls", query: { item: id } })}>
                  {given} given{cut > 0 && `, ${cut} cut off`}
                </Link>
              )}
            </span>
            {last !== null && <Age at={last} />}
          </li>
        ))}
      </ul>
    </>
  );
}
