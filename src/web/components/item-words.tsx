import { shorten } from "../../shared/text.ts";
import { ItemLink } from "./link.tsx";
import { Said } from "./said.tsx";
import { Stored } from "./stored.tsx";

export interface Worded {
  readonly type: string;
  readonly title?: string | null | undefined;
  readonly text: string;
  readonly entities?: readonly string[] | undefined;
}

const SHOWN_ENTITIES = 3;

export function ItemWords({ of, chars }: { readonly of: Worded; readonly chars: number }) {
  const { type, title, text, entities = [] } = of;
  const isCluster = type === "fact_cluster" && text !== "";
  if (!isCluster) {
    return (
      <>
        {title != null && title !== "" && <Stored as="b" text={title} />}{" "}
        <Said text={shorten(text, chars)} />
      </>
    );
  }
  return (
    <>
      <Said text={shorten(text, chars)} />{" "}
      {entities.slice(0, SHOWN_ENTITIES).map((entity) => (
        <Stored key={entity} as="span" class="chip small" text={entity} />
      ))}
    </>
  );
}

export function AboutChips({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <p class="about">
      About{" "}
      {of.map((entity) => (
        <ItemLink key={entity} id={entity} />
      ))}
    </p>
  );
}
