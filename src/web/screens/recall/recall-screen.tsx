import { CopyMenu } from "../../components/copy-menu.tsx";
import { Link } from "../../components/link.tsx";
import { usePage } from "../../page.ts";
import { RecallAnswer } from "./recall-answer.tsx";
import { RecallForm } from "./recall-form.tsx";
import { charsOf, spellings, toRecall } from "./recall-query.ts";
import { WhyNot } from "./why-not.tsx";

/** Recall with its reasons. Asking changes nothing. */
export function RecallScreen() {
  const { router } = usePage();
  const { db, query } = router.place.value;
  const input = toRecall(query);
  const chars = charsOf(query);
  const isAsked = input.query !== undefined || input.entity !== undefined;
  return (
    <div class="page-body recall">
      <h1>Recall</h1>
      <RecallForm />
      {isAsked ? (
        <>
          <div class="recall-bar">
            <CopyMenu of={spellings(input, chars, db)} />
            <Link
              class="button quiet"
              to={router.href({ screen: "find", query: { q: query.q ?? "" } })}
            >
              List all that hold these words
            </Link>
          </div>
          <div class="answers">
            <RecallAnswer input={input} chars={chars} title={titleOf(db, query.as_of)} />
            {query.vs && <Compared input={input} chars={chars} vs={query.vs} db={db} />}
          </div>
          <WhyNot input={input} />
        </>
      ) : (
        <p class="quiet">
          It shows what an agent gets for a question, why each item is among it, and why another one
          is not.
        </p>
      )}
    </div>
  );
}

interface ComparedProps {
  readonly input: ReturnType<typeof toRecall>;
  readonly chars: number;
  readonly vs: string;
  readonly db: string;
}

function Compared({ input, chars, vs, db }: ComparedProps) {
  const other = vs.startsWith("db:") ? vs.slice(3) : undefined;
  const asked = other === undefined ? { ...input, as_of: vs } : input;
  const title = other === undefined ? titleOf(db, vs) : titleOf(other, input.as_of);
  return <RecallAnswer input={asked} chars={chars} db={other} title={title} />;
}

function titleOf(db: string, asOf: string | undefined): string {
  return asOf ? `${db} as of ${asOf}` : `${db} now`;
}
