import { useEffect, useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { DatabaseRow } from "./database-row.tsx";

type Difference = StoreAnswer<"diff_databases">;

/** Rows of each kind that are shown. */
const MAX_ITEMS = 50;
/** Characters of a text that only one of both has. */
const MAX_CHARS = 300;

function DifferenceTable({
  of: { facts, concepts, only_in_a: onlyInA, only_in_b: onlyInB },
  names,
}: {
  readonly of: Difference;
  readonly names: readonly [string, string];
}) {
  return (
    <table>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {facts.slice(0, MAX_ITEMS).map(({ a, b }) => (
          <tr key={a.statement + b.statement}>
            <td>
              <Stored text={a.statement} />
            </td>
            <td>
              <Stored text={b.statement} />
            </td>
          </tr>
        ))}
        {concepts.slice(0, MAX_ITEMS).map(({ title, a, b }) => (
          <tr key={title}>
            <td>
              <Stored as="b" text={title} /> <Stored text={a.summary} />
            </td>
            <td>
              <Stored as="b" text={title} /> <Stored text={b.summary} />
            </td>
          </tr>
        ))}
        {onlyInA.slice(0, MAX_ITEMS).map(({ id, text }) => (
          <tr key={`a ${id}`}>
            <td>
              <Stored text={shorten(text, MAX_CHARS)} />
            </td>
            <td />
          </tr>
        ))}
        {onlyInB.slice(0, MAX_ITEMS).map(({ id, text }) => (
          <tr key={`b ${id}`}>
            <td />
            <td>
              <Stored text={shorten(text, MAX_CHARS)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CompareDatabases({
  names,
  present,
}: {
  readonly names: readonly string[];
  readonly present: string;
}) {
  const { client } = usePage();
  const [a, setA] = useState(names.includes(present) ? present : (names[0] ?? ""));
  const [b, setB] = useState(names.find((name) => name !== a) ?? "");
  const [found, setFound] = useState<Difference | undefined>(undefined);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);
  const compare = async () => {
    setFailure(undefined);
    try {
      const path = `/databases/${encodeURIComponent(a)}/diff`;
      setFound(await client.answer("diff_databases", path, { method: "POST", body: { with: b } }));
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <section class="compare">
      <h2>Compare databases</h2>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void compare();
        }}
      >
        <Choice label="One" names={names} value={a} onChange={setA} />
        <Choice label="The other" names={names} value={b} onChange={setB} />
        <button type="submit" class="button" disabled={a === b}>
          Compare
        </button>
      </form>
      {failure !== undefined && <Failure of={failure} />}
      {found !== undefined && (
        <div role="status">
          <p>
            {found.facts.length + found.concepts.length} disagreements; {found.only_in_a.length}{" "}
            only in {a}, {found.only_in_b.length} only in {b}.
          </p>
          <DifferenceTable of={found} names={[a, b]} />
        </div>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: string;
  onChange(name: string): void;
}

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

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
      {databases.length === 0 && (
        <p class="quiet">No databases yet. The first write creates one.</p>
      )}
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

/** A form for the name of a new database; `make` answers whether it was made. */
function NewDatabase({ make }: { make(name: string): Promise<boolean> }) {
  const [name, setName] = useState("");
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = name.trim();
        if (wanted === "") return;
        void make(wanted).then((isMade) => {
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
      <h2>Bin</h2>
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
