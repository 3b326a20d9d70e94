import type { ComponentChildren } from "preact";
import { shorten } from "../../../kernel/shorten.ts";
import { Age } from "../../components/age.tsx";
import { Marks, TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";

export interface Line {
  readonly id: string;
  readonly type: string;
  readonly title?: string | null;
  readonly text: string;
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
              {line.title != null && line.title !== "" && <Stored as="b" text={line.title} />}{" "}
              <Stored text={shorten(line.text, 240)} />
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
