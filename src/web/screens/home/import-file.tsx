import { useRef, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Button, Checkbox } from "../../components/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { WorkProgressLine } from "../../components/loading.tsx";
import { runLongTask, type WorkProgress } from "../../data/long-work.ts";
import { getFailure, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

const SHOWN_LINES = 200;
const SHOWN_SKIPS = 5;

function ImportPlan({ plan, state }: { readonly plan: ImportReport; readonly state: ImportState }) {
  return (
    <div class="plan" role="status">
      <h2>
        {state.fileName} detected as {plan.source}
      </h2>
      <p>
        {plan.added.toLocaleString("en")} new records
        {plan.changed > 0 && `, ${plan.changed} changed`}
        {plan.known > 0 && `, ${plan.known} already stored`}
        {plan.skipped > 0 && `, ${plan.skipped} unreadable`}. Nothing is saved yet.
      </p>
      {plan.skips.slice(0, SHOWN_SKIPS).map(({ where, reason }) => (
        <p key={where} class="quiet">
          {where}: {reason}
        </p>
      ))}
      <Checkbox checked={state.asFacts} onChange={(isChecked) => state.chooseFacts(isChecked)}>
        Store statements about entities as facts
      </Checkbox>
      {plan.changeset !== undefined && (
        <details>
          <summary>Changeset</summary>
          <pre class="json">{firstLines(plan.changeset, plan.left_out)}</pre>
        </details>
      )}
      <div class="item-actions">
        <Button kind="primary" disabled={state.isBusy} onClick={state.confirm}>
          Import {plan.added.toLocaleString("en")} records
        </Button>
        <Button onClick={state.leave}>Cancel</Button>
      </div>
    </div>
  );
}

function firstLines(changeset: string, omitted = 0): string {
  const lines = changeset.split("\n");
  const more = lines.length - SHOWN_LINES + omitted;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join("\n") : changeset;
}

export function ImportFile() {
  const { router } = usePage();
  const state = useImport();
  const { plan, done, progress, isBusy, failure } = state;
  return (
    <section class="import" aria-label="Import">
      <DropZone onFile={(file) => void state.take(file)} />
      {isBusy && <WorkProgressLine progress={progress} />}
      {failure !== undefined && <Failure error={failure} />}
      {plan !== undefined && <ImportPlan plan={plan} state={state} />}
      {done !== undefined && (
        <p class="notice" role="status">
          {done.added.toLocaleString("en")} records imported.{" "}
          <Link to={router.href({ screen: "find" })}>Show items</Link> or{" "}
          <Link to={router.href({ screen: "feed" })}>show the change</Link>, which you can undo.
        </p>
      )}
    </section>
  );
}

function DropZone({ onFile }: { onFile(file: File | undefined): void }) {
  const { toasts } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
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
          toasts.showError("Only the first file was selected; import one at a time.");
        onFile(files?.[0]);
      }}
    >
      <p>Drop a file here</p>
      <p class="quiet">
        memory.jsonl of server-memory, mem0, OpenMemory, basic-memory, claude-mem, ChatGPT, JSON
        lines, Markdown, CSV
      </p>
      <Button onClick={() => input.current?.click()}>Choose file</Button>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="Import file"
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
      />
    </div>
  );
}

type ImportReport = StoreAnswer<"import">;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

function useImport() {
  const { client, router, writer } = usePage();
  const { db } = router.location.value;
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined);
  const [asFacts, setAsFacts] = useState(true);
  const [plan, setPlan] = useState<ImportReport | undefined>(undefined);
  const [done, setDone] = useState<ImportReport | undefined>(undefined);
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);

  const run = async (file: Chosen, isDry: boolean, facts: boolean) => {
    setBusy(true);
    setFailure(undefined);
    setProgress(undefined);
    try {
      const body = { text: file.text, file_name: file.name, dry_run: isDry, as_facts: facts };
      const report = await runLongTask<ImportReport>(client, {
        path: `/import?db=${encodeURIComponent(db)}`,
        body,
        onProgress: setProgress,
      });
      if (isDry) return setPlan(report);
      setDone(report);
      setPlan(undefined);
      const done = `Imported ${report.added.toLocaleString("en")} records from ${file.name}.`;
      writer.recordDone(db, done, report.changes);
    } catch (error) {
      setFailure(getFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    fileName: chosen?.name,
    asFacts,
    plan,
    done,
    progress,
    isBusy,
    failure,
    async take(file: File | undefined) {
      if (file === undefined) return;
      const next = { name: file.name, text: await file.text() };
      setChosen(next);
      setDone(undefined);
      setPlan(undefined);
      await run(next, true, asFacts);
    },
    chooseFacts(facts: boolean) {
      setAsFacts(facts);
      if (chosen !== undefined) void run(chosen, true, facts);
    },
    confirm() {
      if (chosen !== undefined) void run(chosen, false, asFacts);
    },
    leave: () => setPlan(undefined),
  };
}

type ImportState = ReturnType<typeof useImport>;

/** Getting started with an empty memory. Displaying it writes nothing. */
export function FirstSteps({ isMissing }: { readonly isMissing: boolean }) {
  const { router, toasts, writer, session } = usePage();
  const { db } = router.location.value;
  const [isBusy, setBusy] = useState(false);
  const entry = JSON.stringify(
    { mcpServers: { cairn: { command: "cairn", args: ["mcp", "--db", db] } } },
    null,
    2,
  );
  const loadExample = async () => {
    setBusy(true);
    try {
      const response = await fetch("/ui/assets/example.txt");
      const changeset = await response.text();
      await writer.write(
        "apply",
        { changeset },
        { db, done: ({ results }) => `Loaded example data: ${results.length} changes.` },
      );
    } catch (error) {
      toasts.showError(getFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="first-steps">
      <p class="lead">
        {isMissing
          ? `The database ${db} does not exist yet. The first write creates it.`
          : "This database is empty."}{" "}
        To get started:
      </p>
      <section>
        <h2>1. Connect an agent</h2>
        <p>
          <code>cairn connect</code> configures the installed clients. Or add this to the MCP
          settings of a client:
        </p>
        <div class="copyable">
          <pre class="json">{entry}</pre>
          <CopyButton text={entry} label="Copy MCP settings" />
        </div>
        <p class="quiet">
          Over HTTP, use{" "}
          <code>
            {location.origin}/mcp?db={db}
          </code>
          . New memories appear here immediately.
        </p>
      </section>
      {session.canWrite && (
        <>
          <section>
            <h2>2. Import from another tool</h2>
            <ImportFile />
          </section>
          <section>
            <h2>3. Explore example data</h2>
            <p>
              Six months of a small payment service, including conflicting facts. You can undo it.
            </p>
            <Button disabled={isBusy} onClick={() => void loadExample()}>
              Load example data
            </Button>
          </section>
        </>
      )}
    </div>
  );
}
