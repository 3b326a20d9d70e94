import { TypeBadge } from "./item-badge.tsx";
import { ItemLink } from "./link.tsx";
import { Said } from "./said.tsx";
import { Stored } from "./stored.tsx";

interface Named {
  readonly id: string;
  readonly type: string | null;
  /** Null: it is not there any more. */
  readonly text: string | null;
}

/** An item on one line of a list: its type and its text, which leads to it. */
export function NamedItem({ id, type, text }: Named) {
  return (
    <>
      {type !== null && <TypeBadge type={type} />}
      <ItemLink id={id}>
        <span class="line-text">{text === null ? <Stored text={id} /> : <Said text={text} />}</span>
      </ItemLink>
    </>
  );
}
