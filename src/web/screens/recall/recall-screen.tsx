import { useEffect, useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Button, Form, TextField } from "../../components/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { RecallAnswer } from "./recall-answer.tsx";
import { asCommand, getChars, type RecallInput, toRecall } from "./recall-query.ts";

const FIELDS = [
  { name: "k", title: "Concepts", placeholder: "3", mode: "numeric" },
  { name: "episodes", title: "Episodes", placeholder: "5", mode: "numeric" },
  { name: "passages", title: "Passages", placeholder: "4", mode: "numeric" },
  { name: "chars", title: "Characters", placeholder: "6000", mode: "numeric" },
  { name: "as_of", title: "As of", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "known_at", title: "Known at", placeholder: "now, or 2026-03-31", mode: "text" },
  { name: "entity", title: "Entity", placeholder: "tool:gateway", mode: "text" },
] as const;

function RecallForm() {
  const { router } = usePage();
  const { query } = router.location.value;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null) field.current.value = query.q ?? "";
    if (!query.q) field.current?.focus();
  }, [query.q]);
  const ask = (form: HTMLFormElement) => {
    const change = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    router.setQuery({ ...change, why: "" }, "push");
  };
  return (
    <Form role="search" onSubmit={(form) => ask(form)}>
      <div class="search">
        <input
          ref={field}
          name="q"
          type="search"
          aria-label="Query"
          placeholder="when do we deploy?"
          defaultValue={query.q ?? ""}
        />
        <Button type="submit" kind="primary">
          Recall
        </Button>
      </div>
      <details open={FIELDS.some(({ name }) => query[name])}>
        <summary>Options</summary>
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
        </div>
      </details>
    </Form>
  );
}

/** Recall with its reasons. A query does not change the memory. */
export function RecallScreen() {
  const { router } = usePage();
  const { db, query } = router.location.value;
  const input = toRecall(query);
  const chars = getChars(query);
  const isRequested = input.query !== undefined || input.entity !== undefined;
  return (
    <div class="page-body recall">
      <div class="screen-head">
        <h1>Recall</h1>
        {isRequested && <CopyButton text={asCommand(input, chars, db)} label="Copy command" />}
      </div>
      <RecallForm />
      {isRequested ? (
        <>
          <RecallAnswer input={input} chars={chars} />
          <WhyNot input={input} />
        </>
      ) : (
        <p class="quiet">
          See what an agent receives for a query and why each item is or is not returned.
        </p>
      )}
    </div>
  );
}

/** Explains why an item is missing from the result. */
function WhyNot({ input }: { readonly input: RecallInput }) {
  const { router } = usePage();
  const { why = "" } = router.location.value.query;
  const [id, setId] = useState(why);
  const { passage_k: _passages, ...asked } = input;
  const found = useQuery("why_not", { ...asked, id: why }, { when: why !== "" });
  const { output, failure } = found;
  return (
    <section class="why-not" aria-label="Why not">
      <Form onSubmit={() => router.setQuery({ why: id.trim() }, "push")}>
        <TextField
          label="Missing item (id or text)"
          name="why"
          placeholder="ep:12, or: the deploy decision"
          value={id}
          onInput={setId}
        />
        <Button type="submit">Why not?</Button>
      </Form>
      {failure !== undefined && why !== "" && <Failure error={failure} />}
      {output !== undefined && why !== "" && (
        <WhyAnswer
          explained={output}
          onOther={(other) => {
            setId(other);
            router.setQuery({ why: other }, "push");
          }}
        />
      )}
    </section>
  );
}

type Explained = OutputOf<"why_not">;

interface WhyAnswerProps {
  readonly explained: Explained;
  /** Called if the user meant another item. */
  onOther(id: string): void;
}

/** Shows if the item is returned, and otherwise the reason. */
function WhyAnswer({ explained, onOther }: WhyAnswerProps) {
  const { id, returned, rank, candidates, asked, reasons, meant } = explained;
  return (
    <div class="why-answer" role="status">
      {meant !== undefined && <Meant meant={meant} onOther={onOther} />}
      <p>
        <ItemLink id={id} /> {returned ? "is returned" : "is not returned"}
        {rank === null
          ? ": no match for this query."
          : `: rank ${rank} of ${candidates}, limit ${asked}.`}
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <Measures explained={explained} />
    </div>
  );
}

interface MeantProps {
  readonly meant: NonNullable<Explained["meant"]>;
  onOther(id: string): void;
}

function Meant({ meant: { text, others }, onOther }: MeantProps) {
  return (
    <>
      <p class="quiet">
        Closest match: <Stored text={text} />
      </p>
      {others.length > 0 && (
        <p class="quiet">
          Did you mean{" "}
          {others.map((other) => (
            <Button key={other.id} title={other.text} onClick={() => onOther(other.id)}>
              <Stored text={shorten(other.text, 60)} />
            </Button>
          ))}
        </p>
      )}
    </>
  );
}

function Measures({
  explained: { words, similarity, score, needed },
}: {
  readonly explained: Explained;
}) {
  return (
    <dl class="properties">
      <div>
        <dt>Words</dt>
        <dd>
          {words.query.length === 0 && "none"}
          {words.query.map((word) => (
            <span key={word} class={words.held.includes(word) ? "mark held" : "mark"}>
              {word} {words.held.includes(word) ? "matched" : "missing"}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>Similarity</dt>
        <dd>
          {similarity === null
            ? "not measured: not embedded"
            : `cosine ${similarity.cosine.toFixed(3)}, threshold ${similarity.floor.toFixed(3)}`}
        </dd>
      </div>
      <div>
        <dt>Score</dt>
        <dd>
          {score.toFixed(2)}
          {needed !== null && `; lowest returned: ${needed.toFixed(2)}`}
        </dd>
      </div>
    </dl>
  );
}
