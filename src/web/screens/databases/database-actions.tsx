import { useState } from "preact/hooks";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { getFailure } from "../../data/request-failed.ts";
import { saveDownload } from "../../data/save-download.ts";
import { usePage } from "../../page.ts";

export function DatabaseActions({ name, onDone }: { readonly name: string; onDone(): void }) {
  const { actions, client, session } = usePage();
  const path = `/databases/${encodeURIComponent(name)}`;
  const work = useDatabaseWork(onDone);
  const download = (what: "export" | "backup", file: string) =>
    work.run(async () => {
      await saveDownload(await client.send(`${path}/${what}`), file);
      return `Saved ${file}.`;
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
    { title: "Backup", run: () => download("backup", `${name}.db`) },
    { title: "Export", run: () => download("export", `${name}.jsonl`) },
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
      {work.isBusy && <WorkProgressLine of={undefined} />}
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
  run(work: () => Promise<string>): void;
}

function useDatabaseWork(onDone: () => void): DatabaseWork {
  const { toasts } = usePage();
  const [isBusy, setBusy] = useState(false);
  const guarded = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      toasts.tell(await work());
      onDone();
    } catch (error) {
      toasts.tellError(getFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run: (work) => void guarded(work) };
}
