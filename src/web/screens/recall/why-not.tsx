import { useState } from "preact/hooks";
import { shorten } from "../../../kernel/shorten.ts";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import type { RecallInput } from "./recall-query.ts";

/** The question that people really have: why something is not there. */
export function WhyNot({ input }: { readonly input: RecallInput }) {
  const { router } = usePage();
  const { why = "" } = router.place.value.query;
  const [id, setId] = useState(why);
  const found = useQuestion("why_not", { ...input, id: why }, { when: why !== "" });
  const { output, failure } = found;
  return (
    <section class="why-not" aria-label="Why not">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          router.setQuery({ why: id.trim() }, "push");
        }}
      >
        <label class="field">
          Something is missing? Its id, or words of it
          <input
            name="why"
            placeholder="ep:12, or: the deploy decision"
            value={id}
            onInput={({ currentTarget }) => setId(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button">
          Why not?
        </button>
      </form>
      {failure !== undefined && why !== "" && <Failure of={failure} />}
      {output !== undefined && why !== "" && (
        <div class="why-answer" role="status">
          {output.meant !== undefined && (
            <p class="quiet">
              Taken for <Stored text={output.meant.text} />
            </p>
          )}
          {output.meant !== undefined && output.meant.others.length > 0 && (
            <p class="quiet">
              Or did you mean{" "}
              {output.meant.others.map((other) => (
                <button
                  key={other.id}
                  type="button"
                  class="button"
                  title={other.text}
                  onClick={() => {
                    setId(other.id);
                    router.setQuery({ why: other.id }, "push");
                  }}
                >
                  <Stored text={shorten(other.text, 60)} />
                </button>
              ))}
            </p>
          )}
          <p>
            <ItemLink id={output.id} /> {output.returned ? "is returned" : "is not returned"}
            {output.rank === null
              ? ": the question does not reach it."
              : `: rank ${output.rank} of ${output.candidates}, ${output.asked} were asked for.`}
          </p>
          <ul>
            {output.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          <dl class="properties">
            <div>
              <dt>Words</dt>
              <dd>
                {output.words.query.length === 0 && "none"}
                {output.words.query.map((word) => (
                  <span key={word} class={output.words.held.includes(word) ? "mark held" : "mark"}>
                    {word} {output.words.held.includes(word) ? "held" : "missing"}
                  </span>
                ))}
              </dd>
            </div>
            <div>
              <dt>Similarity</dt>
              <dd>
                {output.similarity === null
                  ? "not measured: no vector"
                  : `cosine ${output.similarity.cosine.toFixed(3)}, the noise ends at ${output.similarity.floor.toFixed(3)}`}
              </dd>
            </div>
            <div>
              <dt>Score</dt>
              <dd>
                {output.score}
                {output.needed !== null && `; the last that is returned has ${output.needed}`}
              </dd>
            </div>
          </dl>
        </div>
      )}
    </section>
  );
}
