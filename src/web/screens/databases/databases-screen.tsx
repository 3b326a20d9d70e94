import { useEffect, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../rest/index.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { addressOf } from "../../routing/place.ts";
import { CompareDatabases } from "./compare-databases.tsx";
import { DatabaseActions } from "./database-actions.tsx";

type StoredDatabase = StoreAnswer<"list_databases">["databases"][number];
type Binned = StoreAnswer<"list_bin">["databases"][number];

/** All memories of this machine, and what can be done with each as a whole. */
export function DatabasesScreen() {
  const { client, router, session, toasts, live } = usePage();
  const [databases, setDatabases] = useState<readonly StoredDatabase[] | undefined>(undefined);
  const [bin, setBin] = useState<readonly Binned[]>([]);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState("");
  const [name, setName] = useState("");
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
  return (
    <div class="page-body">
      <h1>Databases</h1>
      {databases.length === 0 && <p class="quiet">None yet: the first write makes one.</p>}
      <ul class="databases">
        {databases.map((database) => {
          const { name: id, size, modified_at: at, is_default: isDefault, counts } = database;
          return (
            <li key={id}>
              <p class="database-line">
                <Link to={addressOf({ db: id, screen: "home", id: undefined, query: {} })}>
                  <b>{id}</b>
                </Link>
                {isDefault && <span class="mark">default</span>}
                {counts !== null && counts.open_conflicts > 0 && (
                  <span class="mark warn">
                    {counts.open_conflicts} {counts.open_conflicts === 1 ? "conflict" : "conflicts"}
                  </span>
                )}
                <span class="quiet database-counts">
                  {counts === null
                    ? "cannot be read"
                    : `${counts.episodes.toLocaleString("en")} episodes, ${counts.facts.toLocaleString("en")} facts, ${counts.concepts.toLocaleString("en")} concepts`}
                </span>
                <span class="quiet">{sizeOf(size)}</span>
                <Age at={at} />
                <button
                  type="button"
                  class="button"
                  aria-expanded={opened === id}
                  onClick={() => setOpened(opened === id ? "" : id)}
                >
                  Actions
                </button>
              </p>
              {opened === id && <DatabaseActions name={id} onDone={again} />}
            </li>
          );
        })}
      </ul>
      {session.canWrite && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            const wanted = name.trim();
            if (wanted === "") return;
            void post("/databases", { name: wanted }, `Made ${wanted}.`).then((isMade) => {
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
            Make it
          </button>
        </form>
      )}
      {databases.length > 1 && (
        <CompareDatabases
          names={databases.map((one) => one.name)}
          present={router.place.value.db}
        />
      )}
      {bin.length > 0 && (
        <section>
          <h2>Bin</h2>
          <ul class="lines">
            {bin.map(({ id, name: former, deleted_at: at }) => (
              <li key={id}>
                <span class="line-text">{former}</span>
                <Age at={at} />
                {session.canWrite && (
                  <button
                    type="button"
                    class="button"
                    aria-label={`Restore the database ${former}`}
                    onClick={() =>
                      void post(`/bin/${encodeURIComponent(id)}/restore`, {}, `Restored ${former}.`)
                    }
                  >
                    Restore
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
