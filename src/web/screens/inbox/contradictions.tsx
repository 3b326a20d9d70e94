import { useMemo, useRef } from "preact/hooks";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import {
  type Contradiction,
  contradictionChoices,
  idThere,
  keyOfContradiction,
} from "./contradiction-choices.ts";
import { Decisions } from "./decisions.tsx";
import { DifferingText } from "./fact-card.tsx";

/** All that are given at once, so that they can be counted. */
const MOST = 500;

/** What this memory says otherwise than a farther layer, as far as the person may read both. */
export function useContradictions() {
  return useQuestion("contradictions", { limit: MOST }, { pause: 1_000 });
}

/** What stands between this memory and a farther layer: one pair, one key. */
export function Contradictions() {
  const { writer } = usePage();
  const { output, failure, again } = useContradictions();
  const listed = useRef<readonly Contradiction[]>([]);
  listed.current = output?.contradictions ?? [];
  const choices = useMemo(() => contradictionChoices(writer, () => listed.current), [writer]);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={4} />;
  return (
    <>
      {output.warnings?.map(({ layer, message }) => (
        <p key={layer} class="notice warn">
          <Stored text={message} />
        </p>
      ))}
      <Decisions
        items={output.contradictions}
        total={output.contradictions.length}
        keyOf={keyOfContradiction}
        choices={choices}
        label={({ layer }) => `Said otherwise than ${layer}`}
        nothing="Nothing here says otherwise than a farther layer."
      >
        {(contradiction) => <ContradictionCard of={contradiction} />}
      </Decisions>
    </>
  );
}

function ContradictionCard({ of }: { readonly of: Contradiction }) {
  const { router } = usePage();
  const { nearer, farther, layer } = of;
  const there = router.href({ db: layer, screen: "item", id: idThere(of) });
  return (
    <>
      <h2>
        This memory says otherwise than <Stored text={layer} />
      </h2>
      <div class="sides">
        <div class="side">
          <Side title="This memory" said={nearer} other={farther} />
          <p>
            <ItemLink id={nearer.id} />
          </p>
        </div>
        <div class="side">
          <Side title={layer} said={farther} other={nearer} />
          <p>
            <Link to={there}>
              <Stored text={farther.id} />
            </Link>
          </p>
        </div>
      </div>
    </>
  );
}

interface SideProps {
  readonly title: string;
  readonly said: Contradiction["nearer"];
  readonly other: Contradiction["nearer"];
}

function Side({ title, said, other }: SideProps) {
  const { asserted_by: by } = said;
  return (
    <article class="fact-card" aria-label={title}>
      <DifferingText text={said.content} other={other.content} />
      <p class="item-line quiet">
        <span class="mark">
          <Stored text={title} />
        </span>
        <TypeBadge type={said.episode_type} />
        <Age at={said.created_at} />
        {by !== null && (
          <span>
            by <Stored text={by} />
          </span>
        )}
      </p>
    </article>
  );
}
