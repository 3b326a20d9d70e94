import { ItemLink } from "../components/link.tsx";
import { useQuestion } from "../data/use-question.ts";

export interface PurgeAnswer {
  readonly id: string;
  readonly purged: readonly string[];
  readonly kept_elsewhere?: readonly string[];
}

export function Purged({ answer }: { readonly answer: PurgeAnswer }) {
  return (
    <section class="purged" role="status">
      <p>
        Forgotten for good in <code>{answer.id}</code>. Asked for again:
      </p>
      <ul class="lines">
        {answer.purged.map((id) => (
          <li key={id}>
            <ItemLink id={id} />
            <Proof id={id} />
          </li>
        ))}
      </ul>
      {answer.kept_elsewhere?.map((sentence) => (
        <p key={sentence} class="notice warn">
          {sentence}
        </p>
      ))}
      <p class="quiet">
        Copies and exports that were made before still hold it: delete those by hand.
      </p>
    </section>
  );
}

function Proof({ id }: { readonly id: string }) {
  const { output, failure } = useQuestion("history", { id, limit: 200 });
  const isAnswered = output !== undefined || failure !== undefined;
  const remains = (output?.events ?? []).some(({ changed = [] }) =>
    changed.some(
      ({ field, before, after }) =>
        /content|summary|title|statement/.test(field) && isText(before ?? after),
    ),
  );
  if (!isAnswered) return <span class="quiet">asking…</span>;
  return remains ? (
    <span class="mark danger">its history still holds text</span>
  ) : (
    <span class="mark held">no text in the item, nor in its history</span>
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && !/purged/i.test(value);
}
