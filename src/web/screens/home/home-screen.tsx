import { useState } from "preact/hooks";
import { ActionButton } from "../../components/action-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { Amounts, AmountsThen } from "./amounts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Days } from "./heat-map.tsx";
import { ImportFile } from "./import-file.tsx";
import { NewestAndStrongest } from "./newest-and-strongest.tsx";
import { WaitingWork } from "./waiting-work.tsx";

/** Counts of a large memory are dear: they need not be of this second. Milliseconds. */
const COUNT_PAUSE = 10_000;

export function HomeScreen() {
  const { router, session } = usePage();
  const { output, failure, again } = useQuestion("stats", {}, { pause: COUNT_PAUSE });
  // The first write makes it.
  const { as_of: then } = router.place.value.query;
  const isMissing = failure?.code === "not_found";
  if (failure !== undefined && !isMissing) return <Failure of={failure} again={again} />;
  const isEmpty = isMissing || (output?.episodes.total === 0 && output.concepts.total === 0);
  return (
    <div class="page-body home">
      <div class="screen-head">
        <h1>{router.place.value.db}</h1>
        <ActionButton id="write-remember">Write a memory</ActionButton>
      </div>
      {isEmpty ? (
        <FirstSteps />
      ) : output === undefined ? (
        <Waiting rows={3} />
      ) : (
        <>
          {then ? <AmountsThen day={then} /> : <Amounts of={output} />}
          {!then && (
            <WaitingWork open={output.conflicts.open ?? 0} pending={output.consolidation.pending} />
          )}
          {!then && <RecentDays />}
          <NewestAndStrongest countPause={COUNT_PAUSE} />
          {session.canWrite && <ImportFolded />}
        </>
      )}
    </div>
  );
}

function RecentDays() {
  const asked = { kinds: ["episode"], since: "90d" };
  const days = useQuestion("timeline", asked, { pause: COUNT_PAUSE });
  return <Days of={days.output?.buckets ?? []} />;
}

function ImportFolded() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Bring in what another tool remembers</summary>
      {isOpen && <ImportFile />}
    </details>
  );
}
