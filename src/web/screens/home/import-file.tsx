import { useRef, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../rest/index.ts";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { doLongWork, type WorkProgress } from "../../data/long-work.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

type Report = StoreAnswer<"import">;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

const SHOWN_LINES = 200;

/** What another tool keeps, brought in: what it would do is shown before it is done. */
export function ImportFile() {
  const { client, router, writer, toasts } = usePage();
  const { db } = router.place.value;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined);
  const [asFacts, setAsFacts] = useState(true);
  const [plan, setPlan] = useState<Report | undefined>(undefined);
  const [done, setDone] = useState<Report | undefined>(undefined);
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);

  const run = async (file: Chosen, isDry: boolean, facts: boolean) => {
    setBusy(true);
    setFailure(undefined);
    setProgress(undefined);
    try {
      const body = { text: file.text, file_name: file.name, dry_run: isDry, as_facts: facts };
      const report = await doLongWork<Report>(client, {
        path: `/import?db=${encodeURIComponent(db)}`,
        body,
        onProgress: setProgress,
      });
      if (isDry) return setPlan(report);
      setDone(report);
      setPlan(undefined);
      const told = `Brought in ${report.added.toLocaleString("en")} records from ${file.name}.`;
      writer.noteDone(db, told, report.changes);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    const next = { name: file.name, text: await file.text() };
    setChosen(next);
    setDone(undefined);
    setPlan(undefined);
    await run(next, true, asFacts);
  };

  return (
    <section class="import" aria-label="Import">
      <div
        class="drop"
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const files = event.dataTransfer?.files;
          if ((files?.length ?? 0) > 1)
            toasts.tellError("One file at a time: only the first was taken.");
          void take(files?.[0]);
        }}
      >
        <p>Drop a file of another memory here</p>
        <p class="quiet">
          memory.jsonl of server-memory, mem0, OpenMemory, basic-memory, claude-mem, ChatGPT, JSON
          lines, Markdown, CSV
        </p>
        <button type="button" class="button" onClick={() => input.current?.click()}>
          Choose a file
        </button>
        <input
          ref={input}
          class="unseen"
          type="file"
          tabIndex={-1}
          aria-label="File to import"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </div>
      {isBusy && <WorkProgressLine of={progress} />}
      {failure !== undefined && <Failure of={failure} />}
      {plan !== undefined && chosen !== undefined && (
        <div class="plan" role="status">
          <h2>
            {chosen.name} is a file of {plan.source}
          </h2>
          <p>
            {plan.added.toLocaleString("en")} records would come in
            {plan.changed > 0 && `, ${plan.changed} would change`}
            {plan.known > 0 && `, ${plan.known} are known already`}
            {plan.skipped > 0 && `, ${plan.skipped} cannot be read`}. Nothing is written yet.
          </p>
          {plan.skips.slice(0, 5).map(({ where, reason }) => (
            <p key={where} class="quiet">
              {where}: {reason}
            </p>
          ))}
          <label class="check">
            <input
              type="checkbox"
              checked={asFacts}
              onChange={({ currentTarget }) => {
                setAsFacts(currentTarget.checked);
                void run(chosen, true, currentTarget.checked);
              }}
            />
            Statements about entities become facts, which can contradict each other
          </label>
          {plan.changeset !== undefined && (
            <details>
              <summary>The changeset</summary>
              <pre class="json">{firstLines(plan.changeset)}</pre>
            </details>
          )}
          <div class="item-actions">
            <button
              type="button"
              class="button primary"
              disabled={isBusy}
              onClick={() => void run(chosen, false, asFacts)}
            >
              Bring in {plan.added.toLocaleString("en")} records
            </button>
            <button type="button" class="button" onClick={() => setPlan(undefined)}>
              Leave it
            </button>
          </div>
        </div>
      )}
      {done !== undefined && (
        <p class="notice" role="status">
          {done.added.toLocaleString("en")} records came in.{" "}
          <Link to={router.href({ screen: "find" })}>See them</Link> or{" "}
          <Link to={router.href({ screen: "feed" })}>the change in the feed</Link>, where it can be
          undone.
        </p>
      )}
    </section>
  );
}

function firstLines(changeset: string): string {
  const lines = changeset.split("\n");
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join("\n") : changeset;
}
