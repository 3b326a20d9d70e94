import { useState } from "preact/hooks";
import type { StoreAnswer } from "../../../rest/index.ts";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { doLongWork, type WorkProgress } from "../../data/long-work.ts";
import { failureOf } from "../../data/request-failed.ts";
import { saveDownload } from "../../data/save-download.ts";
import { usePage } from "../../page.ts";

type Diagnosis = StoreAnswer<"doctor_database">;

/** What can be done with one database as a whole. */
export function DatabaseActions({ name, onDone }: { readonly name: string; onDone(): void }) {
  const { client, toasts, session } = usePage();
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [diagnosis, setDiagnosis] = useState<Diagnosis | undefined>(undefined);
  const [to, setTo] = useState("");
  const [isAsking, setAsking] = useState(false);
  const path = `/databases/${encodeURIComponent(name)}`;

  const guarded = async (work: () => Promise<string>) => {
    setBusy(true);
    setProgress(undefined);
    try {
      toasts.tell(await work());
      onDone();
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  const long = <Result,>(what: string, body: unknown) =>
    doLongWork<Result>(client, { path: `${path}/${what}`, body, onProgress: setProgress });
  const examine = (fix: boolean) =>
    guarded(async () => {
      const found = await long<Diagnosis>("doctor", { fix });
      setDiagnosis(found);
      return found.ok
        ? `${name} is well.`
        : `${found.findings.length} things are wrong in ${name}.`;
    });
  const download = (what: "export" | "backup", file: string) =>
    guarded(async () => {
      await saveDownload(await client.send(`${path}/${what}`), file);
      return `Saved ${file}.`;
    });
  const named = (what: "rename" | "copy") =>
    guarded(async () => {
      await client.send(`${path}/${what}`, { method: "POST", body: { to: to.trim() } });
      setTo("");
      return what === "copy" ? `Copied ${name} to ${to}.` : `${name} is called ${to} now.`;
    });
  return (
    <div class="database-actions">
      <div class="item-actions">
        <button type="button" class="button" disabled={isBusy} onClick={() => void examine(false)}>
          Doctor
        </button>
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => void download("backup", `${name}.db`)}
        >
          Backup
        </button>
        <button
          type="button"
          class="button"
          disabled={isBusy}
          onClick={() => void download("export", `${name}.jsonl`)}
        >
          Export
        </button>
        {session.canWrite && (
          <>
            <button
              type="button"
              class="button"
              disabled={isBusy}
              onClick={() =>
                void guarded(async () => {
                  const { made, missing } = await long<{ made: number; missing: number }>(
                    "reindex",
                    {},
                  );
                  return `Indexed ${name} anew: ${made} vectors${missing > 0 ? `, ${missing} missing` : ""}.`;
                })
              }
            >
              Reindex
            </button>
            {isAsking ? (
              <button
                type="button"
                class="button danger"
                disabled={isBusy}
                onClick={() =>
                  void guarded(async () => {
                    await client.send(path, { method: "DELETE" });
                    return `${name} is in the bin.`;
                  })
                }
              >
                Really move {name} to the bin
              </button>
            ) : (
              <button
                type="button"
                class="button danger"
                disabled={isBusy}
                onClick={() => setAsking(true)}
              >
                Delete
              </button>
            )}
          </>
        )}
      </div>
      {session.canWrite && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (to.trim() !== "") void named("copy");
          }}
        >
          <label class="field">
            Another name
            <input value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
          </label>
          <button type="submit" class="button" disabled={isBusy || to.trim() === ""}>
            Copy
          </button>
          <button
            type="button"
            class="button"
            disabled={isBusy || to.trim() === ""}
            onClick={() => void named("rename")}
          >
            Rename
          </button>
        </form>
      )}
      {isBusy && <WorkProgressLine of={progress} />}
      {diagnosis !== undefined && (
        <div class="diagnosis" role="status">
          <p>
            {diagnosis.ok
              ? `All ${diagnosis.checks.length} checks passed.`
              : `${diagnosis.findings.length} things are wrong.`}
          </p>
          <ul>
            {diagnosis.checks.map((check) => (
              <li key={check.name}>
                <span class={check.ok ? "mark held" : "mark danger"}>
                  {check.ok ? "well" : "wrong"}
                </span>{" "}
                {check.about}
              </li>
            ))}
          </ul>
          {diagnosis.findings.map(({ problem, count }) => (
            <p key={problem} class="notice danger">
              {problem} ({count})
            </p>
          ))}
          {session.canWrite && diagnosis.findings.some(({ fixable }) => fixable) && (
            <button type="button" class="button primary" onClick={() => void examine(true)}>
              Mend what can be mended
            </button>
          )}
        </div>
      )}
    </div>
  );
}
