import { useEffect, useRef } from "preact/hooks";
import { CopyMenu } from "../../components/copy-menu.tsx";
import { Link } from "../../components/link.tsx";
import { usePage } from "../../page.ts";
import { RecallAnswer } from "./recall-answer.tsx";
import { charsOf, NARROWING, spellings, toRecall } from "./recall-query.ts";
import { WhyNot } from "./why-not.tsx";

const FIELDS = [
  { name: "k", title: "Concepts", placeholder: "3", mode: "numeric" },
  { name: "episodes", title: "Episodes", placeholder: "5", mode: "numeric" },
  { name: "chars", title: "Characters", placeholder: "6000", mode: "numeric" },
  { name: "as_of", title: "As of", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "known_at", title: "Known on", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "entity", title: "About", placeholder: "tool:gateway", mode: "text" },
] as const;

/** Recall with its reasons. Asking changes nothing. */
export function RecallScreen() {
  const { router } = usePage();
  const { db, query } = router.place.value;
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = query.q ?? "";
    if (!query.q) field.current?.focus();
  }, [query.q]);
  const input = toRecall(query);
  const chars = charsOf(query);
  const isAsked = input.query !== undefined || input.entity !== undefined;
  const ask = () => {
    if (form.current === null) return;
    const given = new FormData(form.current);
    const change = Object.fromEntries(
      [...given].map(([name, value]) => [name, String(value).trim()]),
    );
    router.setQuery({ ...change, why: "" }, "push");
  };
  return (
    <div class="page-body recall">
      <h1>Recall</h1>
      <form
        ref={form}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <div class="search">
          <input
            ref={field}
            name="q"
            type="search"
            aria-label="What an agent would ask"
            placeholder="What an agent would ask: when do we deploy?"
            defaultValue={query.q ?? ""}
          />
          <button type="submit" class="button primary">
            Recall
          </button>
        </div>
        <div class="recall-options">
          {FIELDS.map(({ name, title, placeholder, mode }) => (
            <label key={name} class="field">
              {title}
              <input
                name={name}
                inputMode={mode}
                placeholder={placeholder}
                defaultValue={query[name] ?? ""}
              />
            </label>
          ))}
          <label class="field">
            Compare with
            <input name="vs" placeholder="a date, or db:name" defaultValue={query.vs ?? ""} />
          </label>
        </div>
        <Narrowing query={query} />
      </form>
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

/** The filters of lists, folded up while none of them is given. */
function Narrowing({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const isGiven = NARROWING.some(({ name }) => query[name]);
  return (
    <details open={isGiven}>
      <summary>Narrow it</summary>
      <div class="recall-options">
        {NARROWING.map(({ name, kind, says }) => (
          <label key={name} class="field" title={says}>
            {name.replaceAll("_", " ")}
            <input
              name={name}
              placeholder={kind === "boolean" ? "true or false" : ""}
              defaultValue={query[name] ?? ""}
            />
          </label>
        ))}
      </div>
    </details>
  );
}

interface ComparedProps {
  readonly input: ReturnType<typeof toRecall>;
  readonly chars: number;
  readonly vs: string;
  readonly db: string;
}

/** The same question at another moment, or to another database. */
function Compared({ input, chars, vs, db }: ComparedProps) {
  const other = vs.startsWith("db:") ? vs.slice(3) : undefined;
  const asked = other === undefined ? { ...input, as_of: vs } : input;
  const title = other === undefined ? titleOf(db, vs) : titleOf(other, input.as_of);
  return <RecallAnswer input={asked} chars={chars} db={other} title={title} />;
}

function titleOf(db: string, asOf: string | undefined): string {
  return asOf ? `${db} as of ${asOf}` : `${db} now`;
}
