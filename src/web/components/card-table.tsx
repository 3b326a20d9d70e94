import type { ComponentChildren } from "preact";

interface CardTableProps {
  readonly columns: readonly string[];
  /** Titles of columns with right-aligned numbers. */
  readonly numbers?: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table whose last column contains actions. On a narrow screen each row becomes a card. */
export function CardTable({ columns, numbers = [], children }: CardTableProps) {
  return (
    <table class="cards">
      <thead>
        <tr>
          {columns.map((title) => (
            <th key={title} scope="col" class={numbers.includes(title) ? "number" : undefined}>
              {title}
            </th>
          ))}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
