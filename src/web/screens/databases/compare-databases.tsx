import { useState } from "preact/hooks";
import { shorten } from "../../../kernel/shorten.ts";
import type { StoreAnswer } from "../../../rest/index.ts";
import { Failure } from "../../components/failure.tsx";
import { Stored } from "../../components/stored.tsx";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

type Difference = StoreAnswer<"diff_databases">;

const MOST = 50;

/** What two memories disagree on, and what only one of them holds. */
export function CompareDatabases({
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
      <h2>Compare two</h2>
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
          <table>
            <thead>
              <tr>
                <th scope="col">{a}</th>
                <th scope="col">{b}</th>
              </tr>
            </thead>
            <tbody>
              {found.facts.slice(0, MOST).map((fact) => (
                <tr key={fact.a.statement + fact.b.statement}>
                  <td>
                    <Stored text={fact.a.statement} />
                  </td>
                  <td>
                    <Stored text={fact.b.statement} />
                  </td>
                </tr>
              ))}
              {found.concepts.slice(0, MOST).map(({ title, a: one, b: other }) => (
                <tr key={title}>
                  <td>
                    <Stored as="b" text={title} /> <Stored text={one.summary} />
                  </td>
                  <td>
                    <Stored as="b" text={title} /> <Stored text={other.summary} />
                  </td>
                </tr>
              ))}
              {found.only_in_a.slice(0, MOST).map(({ id, text }) => (
                <tr key={`a ${id}`}>
                  <td>
                    <Stored text={shorten(text, 300)} />
                  </td>
                  <td />
                </tr>
              ))}
              {found.only_in_b.slice(0, MOST).map(({ id, text }) => (
                <tr key={`b ${id}`}>
                  <td />
                  <td>
                    <Stored text={shorten(text, 300)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
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
