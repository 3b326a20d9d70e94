import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";

type Explained = OutputOf<"why_not">;

interface WhyAnswerProps {
  readonly of: Explained;
  /** Another item was meant. */
  onOther(id: string): void;
}

/** True if the item is returned, and what kept it back. */
export function WhyAnswer({ of, onOther }: WhyAnswerProps) {
  const { id, returned, rank, candidates, asked, reasons, meant } = of;
  return (
    <div class="why-answer" role="status">
      {meant !== undefined && <Meant of={meant} onOther={onOther} />}
      <p>
        <ItemLink id={id} /> {returned ? "is returned" : "is not returned"}
        {rank === null
          ? ": the question does not reach it."
          : `: rank ${rank} of ${candidates}, ${asked} were asked for.`}
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <Measures of={of} />
    </div>
  );
}

interface MeantProps {
  readonly of: NonNullable<Explained["meant"]>;
  onOther(id: string): void;
}

function Meant({ of: { text, others }, onOther }: MeantProps) {
  return (
    <>
      <p class="quiet">
        Taken for <Stored text={text} />
      </p>
      {others.length > 0 && (
        <p class="quiet">
          Or did you mean{" "}
          {others.map((other) => (
            <button
              key={other.id}
              type="button"
              class="button"
              title={other.text}
              onClick={() => onOther(other.id)}
            >
              <Stored text={shorten(other.text, 60)} />
            </button>
          ))}
        </p>
      )}
    </>
  );
}

function Measures({ of: { words, similarity, score, needed } }: { readonly of: Explained }) {
  return (
    <dl class="properties">
      <div>
        <dt>Words</dt>
        <dd>
          {words.query.length === 0 && "none"}
          {words.query.map((word) => (
            <span key={word} class={words.held.includes(word) ? "mark held" : "mark"}>
              {word} {words.held.includes(word) ? "held" : "missing"}
            </span>
          ))}
        </dd>
      </div>
      <div>
        <dt>Similarity</dt>
        <dd>
          {similarity === null
            ? "not measured: no vector"
            : `cosine ${similarity.cosine.toFixed(3)}, the noise ends at ${similarity.floor.toFixed(3)}`}
        </dd>
      </div>
      <div>
        <dt>Score</dt>
        <dd>
          {score}
          {needed !== null && `; the last that is returned has ${needed}`}
        </dd>
      </div>
    </dl>
  );
}
