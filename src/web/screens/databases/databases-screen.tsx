import { useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Age } from "../../components/age.tsx";
import { CardTable } from "../../components/card-table.tsx";
import { Button, Form, TextField } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Loading, WorkProgressLine } from "../../components/loading.tsx";
import { Menu } from "../../components/menu.tsx";
import { saveDownload } from "../../data/list-file.ts";
import { getFailure } from "../../data/request-failed.ts";
import { useRequest } from "../../data/use-request.ts";
import { usePage } from "../../page.ts";
import { getAddress } from "../../routing/location.ts";
import { FormDialog } from "../../shell/dialog.tsx";

type StoredDatabase = StoreAnswer<"list_databases">["databases"][number];
type DeletedDatabase = StoreAnswer<"list_bin">["databases"][number];

/** All databases of this machine with their actions. */
export function DatabasesScreen() {
  const { client, session, live } = usePage();
  const { output, failure, retry } = useRequest(async () => {
    const [listed, deleted] = await Promise.all([
      client.answer("list_databases", "/databases"),
      client.answer("list_bin", "/bin"),
    ]);
    return { databases: listed.databases, deleted: deleted.databases };
  }, [client, live.revision.value]);
  const task = useTask(retry);
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={5} />;
  const { databases, deleted } = output;
  return (
    <div class="page-body">
      <h1>Databases</h1>
      {databases.length === 0 && (
        <p class="quiet">No databases yet. The first write creates one.</p>
      )}
      {databases.length > 0 && (
        <CardTable columns={["Name", "Contents", "Size", "Updated"]}>
          {databases.map((database) => (
            <DatabaseRow key={database.name} database={database} task={task} />
          ))}
        </CardTable>
      )}
      {task.isBusy && <WorkProgressLine progress={undefined} />}
      {session.canWrite && <NewDatabase task={task} />}
      {deleted.length > 0 && <DeletedDatabases databases={deleted} task={task} />}
    </div>
  );
}

interface Task {
  readonly isBusy: boolean;
  /** Sends a request, reports the result, and resolves to true if it succeeded. */
  post(path: string, body: unknown, done: string): Promise<boolean>;
  run(work: () => Promise<string>): Promise<boolean>;
}

function useTask(onDone: () => void): Task {
  const { client, toasts, live } = usePage();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      toasts.tell(await work());
      live.renewAfterOwnWrite();
      onDone();
      return true;
    } catch (error) {
      toasts.showError(getFailure(error).message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const post = (path: string, body: unknown, done: string) =>
    run(async () => {
      await client.send(path, { method: "POST", body });
      return done;
    });
  return { isBusy, run, post };
}

interface DatabaseRowProps {
  readonly database: StoredDatabase;
  readonly task: Task;
}

function DatabaseRow({ database, task }: DatabaseRowProps) {
  const { actions, client, session } = usePage();
  const { name, size, modified_at: at, is_default: isDefault, counts } = database;
  const [dialog, setDialog] = useState<"copy" | "rename">();
  const path = `/databases/${encodeURIComponent(name)}`;
  const download = (kind: "export" | "backup", file: string) => () =>
    void task.run(async () => {
      await saveDownload(await client.send(`${path}/${kind}`), file);
      return `Saved ${file}.`;
    });
  const remove = async () => {
    const isConfirmed = await actions.confirm({
      title: `Delete database ${name}?`,
      text: "You can restore it from the deleted databases below.",
      verb: "Delete",
      isDestructive: true,
    });
    if (!isConfirmed) return;
    await task.run(async () => {
      await client.send(path, { method: "DELETE" });
      return `Deleted ${name}.`;
    });
  };
  const items = [
    { title: "Backup", run: download("backup", `${name}.db`) },
    { title: "Export", run: download("export", `${name}.jsonl`) },
  ];
  const writes = [
    { title: "Copy", run: () => setDialog("copy") },
    { title: "Rename", run: () => setDialog("rename") },
    { title: "Delete", isDestructive: true, run: () => void remove() },
  ];
  return (
    <tr>
      <td>
        <Link to={getAddress({ db: name, screen: "home", id: undefined, query: {} })}>
          <b>{name}</b>
        </Link>{" "}
        {isDefault && <span class="mark">default</span>}{" "}
        {counts !== null && counts.open_conflicts > 0 && (
          <span class="mark warn">{count(counts.open_conflicts, "conflict")}</span>
        )}
      </td>
      <td class="quiet">{getContents(counts)}</td>
      <td data-label="Size">{getSize(size)}</td>
      <td data-label="Updated">
        <Age at={at} />
      </td>
      <td class="row-menu">
        <Menu
          label={`Actions of ${name}`}
          items={session.canWrite ? [...items, ...writes] : items}
        />
        {dialog !== undefined && (
          <NameDialog
            verb={dialog === "copy" ? "Copy" : "Rename"}
            name={name}
            onName={(to) =>
              void task.post(
                `${path}/${dialog}`,
                { to },
                dialog === "copy" ? `Copied ${name} to ${to}.` : `Renamed ${name} to ${to}.`,
              )
            }
            onClose={() => setDialog(undefined)}
          />
        )}
      </td>
    </tr>
  );
}

interface NameDialogProps {
  readonly verb: string;
  readonly name: string;
  onName(to: string): void;
  onClose(): void;
}

function NameDialog({ verb, name, onName, onClose }: NameDialogProps) {
  const [to, setTo] = useState("");
  return (
    <FormDialog
      title={`${verb} ${name}`}
      verb={verb}
      isReady={to.trim() !== ""}
      onSubmit={() => onName(to.trim())}
      onClose={onClose}
    >
      <TextField label="New name" value={to} onInput={setTo} />
    </FormDialog>
  );
}

function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
}

function getContents(counts: StoredDatabase["counts"]): string {
  if (counts === null) return "Unreadable";
  const { episodes, facts, concepts } = counts;
  const amounts = [
    [episodes, "episode"],
    [facts, "fact"],
    [concepts, "concept"],
  ] as const;
  const stored = amounts
    .filter(([amount]) => amount > 0)
    .map(([amount, noun]) => count(amount, noun));
  return stored.length === 0 ? "Empty" : stored.join(", ");
}

function getSize(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function NewDatabase({ task }: { readonly task: Task }) {
  const [name, setName] = useState("");
  const create = async () => {
    const trimmed = name.trim();
    if (trimmed === "") return;
    if (await task.post("/databases", { name: trimmed }, `Created ${trimmed}.`)) setName("");
  };
  return (
    <Form class="inline-form" onSubmit={() => void create()}>
      <TextField
        label="New database"
        value={name}
        placeholder="letters, digits, dots, hyphens"
        onInput={setName}
      />
      <Button type="submit">Create</Button>
    </Form>
  );
}

interface DeletedDatabasesProps {
  readonly databases: readonly DeletedDatabase[];
  readonly task: Task;
}

function DeletedDatabases({ databases, task }: DeletedDatabasesProps) {
  const { session } = usePage();
  return (
    <section>
      <h2>Deleted databases</h2>
      <ul class="lines">
        {databases.map(({ id, name, deleted_at: at }) => (
          <li key={id}>
            <span class="line-text">{name}</span>
            <Age at={at} />
            {session.canWrite && (
              <Button
                aria-label={`Restore the database ${name}`}
                onClick={() =>
                  void task.post(`/bin/${encodeURIComponent(id)}/restore`, {}, `Restored ${name}.`)
                }
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
