import { useState } from "preact/hooks";
import { Failure } from "../../components/failure.tsx";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { type Difference, DifferenceTable } from "./difference-table.tsx";

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
