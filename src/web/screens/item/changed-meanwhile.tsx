import { Age } from "../../components/age.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";

/** Somebody wrote while one edits: who and when, and what, if one wants to see it. */
export function ChangedMeanwhile({ id, onCompare }: { readonly id: string; onCompare(): void }) {
  const history = useQuestion("history", { id, limit: 1 });
  const last = history.output?.events[0];
  const number = Number(last?.change_id?.replace("change:", "") ?? 0);
  const before = `change:${number + 1}`;
  const changes = useQuestion("changes", { before, limit: 1 }, { when: number > 0 });
  const author = changes.output?.changes[0]?.author;
  return (
    <p class="notice warn" role="status">
      {id} was changed{" "}
      {author !== undefined && (
        <>
          by <Stored text={author} />{" "}
        </>
      )}
      {last !== undefined && <Age at={last.ts} />} while you write.{" "}
      <button type="button" class="button" onClick={onCompare}>
        Compare
      </button>
    </p>
  );
}
