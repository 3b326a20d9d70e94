import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { ageLabels, FactCard } from "./fact-card.tsx";
import { Progress } from "./progress.tsx";

/** So many are held ready, so that the next one is there at once. */
const READY = 50;

/** One conflict, one key. */
export function Conflicts() {
  const page = usePage();
  const { router, writer, session } = page;
  const { db, query } = router.place.value;
  const { output, failure, again } = useQuestion("list_conflicts", {
    status: "open",
    limit: READY,
  });
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [note, setNote] = useState("");
  const [settled, setSettled] = useState(0);
  const foreseen = writer.foreseen.value;
  const open = (output?.conflicts ?? []).filter(({ id }) => foreseen.get(id)?.isGone !== true);
  const waiting = open.filter(({ id }) => !skipped.includes(id));
  const conflict =
    open.find(({ id }) => id === query.conflict && !skipped.includes(id)) ?? waiting[0];
  const state = useRef({ conflict, note });
  state.current = { conflict, note };
  const actions = useMemo((): readonly Action[] => {
    const settle = (winner: "fact_a" | "fact_b" | undefined) => {
      const { conflict: present, note: why } = state.current;
      if (present === undefined) return;
      setNote("");
      setSettled((count) => count + 1);
      const said = why.trim() === "" ? {} : { note: why.trim() };
      const options = {
        db,
        foreseen: new Map([[present.id, { isGone: true }]]),
        done:
          winner === undefined
            ? `Both hold: ${present.id} is dismissed.`
            : `${present.id} is settled: ${present[winner].id} holds.`,
      };
      const written =
        winner === undefined
          ? writer.write("dismiss_conflict", { conflict_id: present.id, ...said }, options)
          : writer.write(
              "resolve_conflict",
              { conflict_id: present.id, winning_fact_id: present[winner].id, ...said },
              options,
            );
      void written.then((answer) => {
        if (answer === undefined) setSettled((count) => count - 1);
      });
    };
    const shared = { group: "This screen", isWrite: true } as const;
    const applies = () => state.current.conflict !== undefined;
    return [
      {
        ...shared,
        id: "keep-1",
        title: "Keep 1",
        keys: ["1"],
        applies,
        run: () => settle("fact_a"),
      },
      {
        ...shared,
        id: "keep-2",
        title: "Keep 2",
        keys: ["2"],
        applies,
        run: () => settle("fact_b"),
      },
      {
        ...shared,
        id: "both",
        title: "Both hold",
        keys: ["b"],
        applies,
        run: () => settle(undefined),
      },
      {
        id: "skip",
        title: "Skip",
        group: "This screen",
        keys: ["s"],
        applies,
        run: () => {
          const { conflict: present } = state.current;
          if (present !== undefined) setSkipped((former) => [...former, present.id]);
        },
      },
    ];
  }, [db, writer]);
  useScreenActions(actions);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={4} />;
  if (conflict === undefined) {
    return (
      <div class="empty">
        <p>
          {skipped.length > 0
            ? `${skipped.length} skipped, nothing else is open.`
            : "No facts contradict each other."}
        </p>
        {skipped.length > 0 && (
          <button type="button" class="button" onClick={() => setSkipped([])}>
            Back to those that were skipped
          </button>
        )}
      </div>
    );
  }
  const { fact_a: a, fact_b: b, description, severity, id, created_at: at } = conflict;
  const [ageA, ageB] = ageLabels(a, b);
  const total = output.total ?? open.length;
  return (
    <section class="decision" aria-label={`Conflict ${id}`}>
      <p class="item-line">
        <code class="id">{id}</code>
        <span class={severity === "high" ? "mark danger" : "mark warn"}>{severity}</span>
        <Age at={at} />
      </p>
      <Stored as="h2" text={description ?? "These two contradict each other."} />
      <div class="sides">
        <div class="side">
          <FactCard fact={a} other={b} label={ageA} title="Fact 1" />
          <ActionButton id="keep-1" class="button primary" />
        </div>
        <div class="side">
          <FactCard fact={b} other={a} label={ageB} title="Fact 2" />
          <ActionButton id="keep-2" class="button primary" />
        </div>
      </div>
      {session.canWrite && (
        <label class="field">
          Why, for those who come later
          <input value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
      )}
      <div class="item-actions">
        <ActionButton id="both" />
        <ActionButton id="skip" />
        <ActionButton id="undo" class="button quiet" />
      </div>
      <Progress done={settled} left={total - (output.conflicts.length - open.length)} />
    </section>
  );
}
