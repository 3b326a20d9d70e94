import { useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import type { RecallInput } from "./recall-query.ts";
import { WhyAnswer } from "./why-answer.tsx";

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
        <WhyAnswer
          of={output}
          onOther={(other) => {
            setId(other);
            router.setQuery({ why: other }, "push");
          }}
        />
      )}
    </section>
  );
}
