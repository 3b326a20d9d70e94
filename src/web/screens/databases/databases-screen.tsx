import { useEffect, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { getFailure, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { DatabaseRow } from "./database-row.tsx";

type StoredDatabase = StoreAnswer<"list_databases">["databases"][number];

/** All databases of this machine with their actions. */
export function DatabasesScreen() {
  const { client, session, toasts, live } = usePage();
  const [databases, setDatabases] = useState<readonly StoredDatabase[] | undefined>(undefined);
  const [bin, setBin] = useState<readonly BinnedDatabase[]>([]);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState("");
  const revision = live.revision.value;
  useEffect(() => {
    const load = async () => {
      const [listed, binned] = await Promise.all([
        client.answer("list_databases", "/databases"),
        client.answer("list_bin", "/bin"),
      ]);
      setDatabases(listed.databases);
      setBin(binned.databases);
      setFailure(undefined);
    };
    load().catch((error: unknown) => setFailure(getFailure(error)));
  }, [client, attempt, revision]);
  const again = () => setAttempt((count) => count + 1);
  const post = async (path: string, body: unknown, done: string) => {
    try {
      await client.send(path, { method: "POST", body });
      toasts.tell(done);
      live.renew();
      again();
      return true;
    } catch (error) {
      toasts.tellError(getFailure(error).message);
      return false;
    }
  };
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (databases === undefined) return <Waiting rows={5} />;
  return (
    <div class="page-body">
      <h1>Databases</h1>
      {databases.length === 0 && (
        <p class="quiet">No databases yet. The first write creates one.</p>
      )}
      <ul class="databases">
        {databases.map((database) => (
          <DatabaseRow
            key={database.name}
            of={database}
            isOpen={opened === database.name}
            onToggle={() => setOpened(opened === database.name ? "" : database.name)}
            onDone={again}
          />
        ))}
      </ul>
      {session.canWrite && (
        <NewDatabase make={(name) => post("/databases", { name }, `Created ${name}.`)} />
      )}
      {bin.length > 0 && (
        <DatabaseBin
          of={bin}
          onRestore={({ id, name }) =>
            void post(`/bin/${encodeURIComponent(id)}/restore`, {}, `Restored ${name}.`)
          }
        />
      )}
    </div>
  );
}

/** Form for the name of a new database; `make` resolves to true if it was created. */
function NewDatabase({ make }: { make(name: string): Promise<boolean> }) {
  const [name, setName] = useState("");
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const requested = name.trim();
        if (requested === "") return;
        void make(requested).then((isMade) => {
          if (isMade) setName("");
        });
      }}
    >
      <label class="field">
        New database
        <input
          value={name}
          placeholder="letters, digits, dots, hyphens"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button">
        Create
      </button>
    </form>
  );
}

type BinnedDatabase = StoreAnswer<"list_bin">["databases"][number];

interface DatabaseBinProps {
  readonly of: readonly BinnedDatabase[];
  onRestore(database: BinnedDatabase): void;
}

function DatabaseBin({ of: databases, onRestore }: DatabaseBinProps) {
  const { session } = usePage();
  return (
    <section>
      <h2>Trash</h2>
      <ul class="lines">
        {databases.map((database) => (
          <li key={database.id}>
            <span class="line-text">{database.name}</span>
            <Age at={database.deleted_at} />
            {session.canWrite && (
              <button
                type="button"
                class="button"
                aria-label={`Restore the database ${database.name}`}
                onClick={() => onRestore(database)}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
