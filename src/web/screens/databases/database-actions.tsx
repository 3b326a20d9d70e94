import { useState } from "preact/hooks";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { saveDownload } from "../../data/save-download.ts";
import { usePage } from "../../page.ts";
import { DeleteDatabase } from "./delete-database.tsx";
import { type Diagnosed, Diagnosis } from "./diagnosis.tsx";
import { NameDatabase } from "./name-database.tsx";
import { useDatabaseWork } from "./use-database-work.ts";

export function DatabaseActions({ name, onDone }: { readonly name: string; onDone(): void }) {
  const { client, session } = usePage();
  const [diagnosis, setDiagnosis] = useState<Diagnosed | undefined>(undefined);
  const path = `/databases/${encodeURIComponent(name)}`;
  const work = useDatabaseWork(path, onDone);
  const examine = (fix: boolean) =>
    work.run(async () => {
      const found = await work.long<Diagnosed>("doctor", { fix });
      setDiagnosis(found);
      return found.ok
        ? `${name} is well.`
        : `${found.findings.length} things are wrong in ${name}.`;
    });
  const download = (what: "export" | "backup", file: string) =>
    work.run(async () => {
      await saveDownload(await client.send(`${path}/${what}`), file);
      return `Saved ${file}.`;
    });
  const reindex = () =>
    work.run(async () => {
      const { made, missing } = await work.long<{ made: number; missing: number }>("reindex", {});
      return `Indexed ${name} anew: ${made} vectors${missing > 0 ? `, ${missing} missing` : ""}.`;
    });
  const remove = () =>
    work.run(async () => {
      await client.send(path, { method: "DELETE" });
      return `${name} is in the bin.`;
    });
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
        {session.canWrite && <DeleteDatabase name={name} isBusy={work.isBusy} onDelete={remove} />}
      </div>
      {session.canWrite && <NameDatabase name={name} path={path} work={work} />}
      {work.isBusy && <WorkProgressLine of={work.progress} />}
      {diagnosis !== undefined && <Diagnosis of={diagnosis} onMend={() => examine(true)} />}
    </div>
  );
}
