import { useMemo, useRef, useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Said } from "../../components/said.tsx";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import type { Foresight } from "../../data/writer.ts";
import { usePage } from "../../page.ts";
import { Progress } from "./progress.tsx";

type Proposal = OutputOf<"list_proposals">["proposals"][number];

/** So many are held ready, so that the next one is there at once. */
const READY = 50;

/** What may be worth keeping: one proposal, one key. */
export function Proposals() {
  const { writer } = usePage();
  const { output, failure, again } = useQuestion("list_proposals", {
    status: "open",
    limit: READY,
  });
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [decided, setDecided] = useState(0);
  const foreseen = writer.foreseen.value;
  const open = (output?.proposals ?? []).filter(({ id }) => foreseen.get(id)?.isGone !== true);
  const proposal = open.find(({ id }) => !skipped.includes(id));
  useDecisions(proposal, {
    onDecided: (change) => setDecided((count) => count + change),
    onSkip: (id) => setSkipped((former) => [...former, id]),
  });
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={4} />;
  if (proposal === undefined) {
    return (
      <div class="empty">
        <p>{skipped.length > 0 ? "The others were skipped." : "Nothing is proposed."}</p>
      </div>
    );
  }
  const total = output.total ?? open.length;
  return (
    <section class="decision" aria-label={`Proposal ${proposal.id}`}>
      <ProposalCard of={proposal} />
      <div class="item-actions">
        <ActionButton id="keep-proposal" class="button primary" />
        <ActionButton id="reject-proposal" />
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
      <Progress done={decided} left={total - (output.proposals.length - open.length)} />
    </section>
  );
}

interface Deciding {
  /** One more was decided; one less, where the server refused. */
  onDecided(change: 1 | -1): void;
  onSkip(id: string): void;
}

function useDecisions(proposal: Proposal | undefined, deciding: Deciding): void {
  const { writer, router } = usePage();
  const { db } = router.place.value;
  const state = useRef({ proposal, deciding });
  state.current = { proposal, deciding };
  const actions = useMemo((): readonly Action[] => {
    const decide = (operation: "accept_proposal" | "reject_proposal", done: string) => {
      const id = state.current.proposal?.id;
      if (id === undefined) return;
      state.current.deciding.onDecided(1);
      const foreseen = new Map<string, Foresight>([[id, { isGone: true }]]);
      const options = { db, foreseen, done: `${id}: ${done}` };
      void writer.write(operation, { proposal_id: id }, options).then((answer) => {
        if (answer === undefined) state.current.deciding.onDecided(-1);
      });
    };
    const shared = {
      group: "This screen",
      applies: () => state.current.proposal !== undefined,
    } as const;
    return [
      {
        ...shared,
        id: "keep-proposal",
        title: "Keep it",
        keys: ["1"],
        isWrite: true,
        run: () => decide("accept_proposal", "kept."),
      },
      {
        ...shared,
        id: "reject-proposal",
        title: "Do not keep it",
        keys: ["2"],
        isWrite: true,
        run: () => decide("reject_proposal", "not kept, and not asked about again."),
      },
      {
        ...shared,
        id: "skip",
        title: "Skip",
        keys: ["s"],
        run: () => {
          const id = state.current.proposal?.id;
          if (id !== undefined) state.current.deciding.onSkip(id);
        },
      },
    ];
  }, [db, writer]);
  useScreenActions(actions);
}

/** What would be kept, the words that it stands on, and why a person is asked. */
function ProposalCard({ of }: { readonly of: Proposal }) {
  const { id, content, episode_type: type, seen_at: at, times, asserted_by: by } = of;
  return (
    <>
      <p class="item-line">
        <code class="id">{id}</code>
        <TypeBadge type={type} />
        <Age at={at} />
        {by !== null && (
          <span>
            by <Stored text={by} />
          </span>
        )}
        {times > 1 && <span class="mark">said in {times.toLocaleString("en")} sessions</span>}
      </p>
      <h2 dir="auto">
        <Said text={content} />
      </h2>
      {of.quotation !== null && (
        <blockquote class="quotation" dir="auto">
          <Said text={of.quotation} />
        </blockquote>
      )}
      {of.reason !== null && <Stored as="p" class="quiet" text={of.reason} />}
      {of.entities.length > 0 && (
        <p class="about">
          About{" "}
          {of.entities.map((entity) => (
            <ItemLink key={entity} id={entity} />
          ))}
        </p>
      )}
    </>
  );
}
