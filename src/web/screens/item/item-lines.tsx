import type { ComponentChildren } from "preact";
import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, ItemWords } from "../../components/link.tsx";

export interface Line {
  readonly id: string;
  readonly type: string;
  readonly title?: string | null;
  readonly text: string;
  readonly entities?: readonly string[];
  readonly at?: string;
  readonly note?: ComponentChildren;
  readonly open_conflicts?: readonly string[];
  readonly status?: string | null;
}

/** A short list of items, one line each. */
export function ItemLines({
  of,
  present,
}: {
  readonly of: readonly Line[];
  readonly present?: string;
}) {
  return (
    <ul class="lines">
      {of.map((line) => (
        <li key={line.id} aria-current={line.id === present ? "true" : undefined}>
          <TypeBadge type={line.type} />
          <ItemLink id={line.id}>
            <span class="line-text">
              <ItemWords of={line} chars={240} />
            </span>
          </ItemLink>
          <Marks of={line} />
          {line.note}
          {line.at !== undefined && <Age at={line.at} />}
        </li>
      ))}
    </ul>
  );
}
