import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ChangeRow } from "./change-row.tsx";

/** One change, whole; or that there is none of this id, which another one must not stand in for. */
export function OneChange({ id }: { readonly id: string }) {
  const { router } = usePage();
  const number = Number(/^change:(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  const isId = Number.isSafeInteger(number);
  const input = { before: `change:${number + 1}`, limit: 1, diff: true, texts: true };
  const { output, failure, again } = useQuestion("changes", input, { when: isId });
  const found = output?.changes.find((change) => change.id === id);
  const isMissing = !isId || (output !== undefined && found === undefined);
  return (
    <div class="page-body feed">
      <div class="screen-head">
        <h1>{isMissing ? "No such change" : id}</h1>
        <Link class="button" to={router.href({ screen: "feed" })}>
          Newest
        </Link>
      </div>
      {failure !== undefined && <Failure of={failure} again={again} />}
      {isMissing && (
        <p class="empty" role="status">
          There is no change {id} in this database. It may be of another one.
        </p>
      )}
      {!isMissing && output === undefined && failure === undefined && <Waiting rows={4} />}
      {found !== undefined && (
        <ol class="changes">
          <ChangeRow change={found} isOpen />
        </ol>
      )}
    </div>
  );
}
