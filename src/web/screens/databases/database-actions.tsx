import { useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { doLongWork, type WorkProgress } from "../../data/long-work.ts";
import { getFailure } from "../../data/request-failed.ts";
import { saveDownload } from "../../data/save-download.ts";
import { usePage } from "../../page.ts";

export function DatabaseActions({ name, onDone }: { readonly name: string; onDone(): void }) {
  const { actions, client, session } = usePage();
  const [diagnosis, setDiagnosis] = useState<Diagnosed | undefined>(undefined);
  const path = `/databases/${encodeURIComponent(name)}`;
  const work = useDatabaseWork(path, onDone);
  const examine = (fix: boolean) =>
    work.run(async () => {
      const found = await work.long<Diagnosed>("doctor", { fix });
      setDiagnosis(found);
      return found.ok
        ? `No problems found in ${name}.`
        : `Problems found in ${name}: ${found.findings.length}.`;
    });
  const download = (what: "export" | "backup", file: string) =>
    work.run(async () => {
      await saveDownload(await client.send(`${path}/${what}`), file);
      return `Saved ${file}.`;
    });
  const reindex = () =>
    work.run(async () => {
      const { made, missing } = await work.long<{ made: number; missing: number }>("reindex", {});
      return `Reindexed ${name}: ${made} vectors${missing > 0 ? `, ${missing} missing` : ""}.`;
    });
  const remove = async () => {
    const isConfirmed = await actions.confirm({
      title: `Delete database ${name}?`,
      text: "It moves to the trash below, from where it can be restored.",
      verb: "Delete",
      isDestructive: true,
    });
    if (!isConfirmed) return;
    work.run(async () => {
      await client.send(path, { method: "DELETE" });
      return `Moved ${name} to the trash.`;
    });
  };
  const buttons = [
    { title: "Doctor", run: () => examine(false) },
    { title: "Backup", run: () => download("backup", `${name}.db`) },
    { title: "Export", run: () => download("export", `${name}.jsonl`) },
    ...(session.canWrite ? [{ title: "Reindex", run: reindex }] : []),
  ];
  return (
    <div class="database-actions">
      <div class="item-actions">
        {buttons.map(({ title, run }) => (
          <button key={title} type="button" class="button" disabled={work.isBusy} onClick={run}>
            {title}
          </button>
        ))}
        {session.canWrite && (
          <button type="button" class="button danger" disabled={work.isBusy} onClick={remove}>
            Delete
          </button>
        )}
      </div>
      {session.canWrite && <NameDatabase name={name} path={path} work={work} />}
      {work.isBusy && <WorkProgressLine of={work.progress} />}
      {diagnosis !== undefined && <Diagnosis of={diagnosis} onMend={() => examine(true)} />}
    </div>
  );
}

type Diagnosed = StoreAnswer<"doctor_database">;

function Diagnosis({ of: found, onMend }: { readonly of: Diagnosed; onMend(): void }) {
  const { session } = usePage();
  return (
    <div class="diagnosis" role="status">
      <p>
        {found.ok
          ? `All ${found.checks.length} checks passed.`
          : `Problems found: ${found.findings.length}.`}
      </p>
      <ul>
        {found.checks.map((check) => (
          <li key={check.name}>
            <span class={check.ok ? "mark held" : "mark danger"}>
              {check.ok ? "passed" : "failed"}
            </span>{" "}
            {check.about}
          </li>
        ))}
      </ul>
      {found.findings.map(({ problem, count }) => (
        <p key={problem} class="notice danger">
          {problem} ({count})
        </p>
      ))}
      {session.canWrite && found.findings.some(({ fixable }) => fixable) && (
        <button type="button" class="button primary" onClick={onMend}>
          Repair
        </button>
      )}
    </div>
  );
}

interface NameDatabaseProps {
  readonly name: string;
  readonly path: string;
  readonly work: DatabaseWork;
}

function NameDatabase({ name, path, work }: NameDatabaseProps) {
  const { client } = usePage();
  const [to, setTo] = useState("");
  const isBlank = to.trim() === "";
  const named = (what: "rename" | "copy") =>
    work.run(async () => {
      await client.send(`${path}/${what}`, { method: "POST", body: { to: to.trim() } });
      setTo("");
      return what === "copy" ? `Copied ${name} to ${to}.` : `Renamed ${name} to ${to}.`;
    });
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBlank) named("copy");
      }}
    >
      <label class="field">
        New name
        <input value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
      </label>
      <button type="submit" class="button" disabled={work.isBusy || isBlank}>
        Copy
      </button>
      <button
        type="button"
        class="button"
        disabled={work.isBusy || isBlank}
        onClick={() => named("rename")}
      >
        Rename
      </button>
    </form>
  );
}

interface DatabaseWork {
  readonly isBusy: boolean;
  readonly progress: WorkProgress | undefined;
  run(work: () => Promise<string>): void;
  /** Posts to `<path>/<what>`, which streams its progress. */
  long<Result>(what: string, body: unknown): Promise<Result>;
}

function useDatabaseWork(path: string, onDone: () => void): DatabaseWork {
  const { client, toasts } = usePage();
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const guarded = async (work: () => Promise<string>) => {
    setBusy(true);
    setProgress(undefined);
    try {
      toasts.tell(await work());
      onDone();
    } catch (error) {
      toasts.tellError(getFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    progress,
    run: (work) => void guarded(work),
    long: (what, body) =>
      doLongWork(client, { path: `${path}/${what}`, body, onProgress: setProgress }),
  };
}
