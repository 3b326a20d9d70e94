import { useEffect, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Failure } from "../../components/failure.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { CompareDatabases } from "./compare-databases.tsx";
import { type BinnedDatabase, DatabaseBin } from "./database-bin.tsx";
import { DatabaseRow } from "./database-row.tsx";
import { NewDatabase } from "./new-database.tsx";

type StoredDatabase = StoreAnswer<"list_databases">["databases"][number];

/** All memories of this machine, and what can be done with each as a whole. */
export function DatabasesScreen() {
  const { client, router, session, toasts, live } = usePage();
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
    load().catch((error: unknown) => setFailure(failureOf(error)));
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
      toasts.tellError(failureOf(error).message);
      return false;
    }
  };
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (databases === undefined) return <Waiting rows={5} />;
  const names = databases.map(({ name }) => name);
  return (
    <div class="page-body">
      <h1>Databases</h1>
      {databases.length === 0 && <p class="quiet">None yet: the first write makes one.</p>}
      {databases.length > 0 && (
        <SaveList
          name="databases"
          columns={fields<StoredDatabase>("name", "size", "modified_at")}
          pages={() => allAtOnce(databases)}
        />
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
        <NewDatabase make={(name) => post("/databases", { name }, `Made ${name}.`)} />
      )}
      {names.length > 1 && <CompareDatabases names={names} present={router.place.value.db} />}
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
