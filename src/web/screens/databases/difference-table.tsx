import type { StoreAnswer } from "../../../server/rest/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Stored } from "../../components/stored.tsx";

export type Difference = StoreAnswer<"diff_databases">;

/** Rows of each kind that are shown. */
const MAX_ITEMS = 50;
/** Characters of a text that only one of both has. */
const MAX_CHARS = 300;

export function DifferenceTable({
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
