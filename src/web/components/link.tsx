import type { ComponentChildren } from "preact";
import { shorten } from "../../shared/text.ts";
import { useQuery } from "../data/use-query.ts";
import { type Page, usePage } from "../page.ts";
import { kindOfId } from "../screens/item/item-kind.ts";
import { Age } from "./age.tsx";
import { Marks, TypeBadge } from "./item-badge.tsx";
import { Highlighted, Stored } from "./stored.tsx";

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly "aria-label"?: string;
  readonly "aria-current"?: "page" | "true" | undefined;
  readonly title?: string;
  readonly tabIndex?: number;
  readonly style?: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}

/** Link within the page: handles plain clicks and leaves all others to the browser. */
export function Link({ to, children, ...rest }: LinkProps) {
  const { router } = usePage();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        router.go(to);
      }}
    >
      {children}
    </a>
  );
}

export function ItemLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const { router } = usePage();
  return (
    <Link to={addressOfRecord(router, id)} class={children === undefined ? "id" : "item-link"}>
      {children ?? <Stored text={id} />}
    </Link>
  );
}

/** Conflicts, proposals and changes have screens of their own. */
export function addressOfRecord(router: Page["router"], id: string): string {
  const kind = /^(conflict|proposal|change):\d+$/.exec(id)?.[1];
  if (kind === "conflict") return router.href({ screen: "inbox", query: { conflict: id } });
  if (kind === "proposal") {
    return router.href({ screen: "inbox", query: { part: "proposals", proposal: id } });
  }
  if (kind === "change") return router.href({ screen: "feed", query: { change: id } });
  return router.href({ screen: "item", id });
}

interface Named {
  readonly id: string;
  readonly type: string | null;
  /** Null if the item no longer exists. */
  readonly text: string | null;
}

/** An item as one line with type and text, linked to its page. */
export function NamedItem({ id, type, text }: Named) {
  return (
    <>
      {type !== null && <TypeBadge type={type} />}
      <ItemLink id={id}>
        <span class="line-text">
          <Stored text={text ?? id} />
        </span>
      </ItemLink>
    </>
  );
}

interface SummarizedItem {
  readonly type: string;
  readonly title?: string | null | undefined;
  readonly text: string;
  readonly entities?: readonly string[] | undefined;
}

const SHOWN_ENTITIES = 3;

interface ItemWordsProps {
  readonly item: SummarizedItem;
  readonly chars: number;
  readonly highlighted?: readonly string[];
}

export function ItemSummary({ item, chars, highlighted = [] }: ItemWordsProps) {
  const { type, title, text, entities = [] } = item;
  const isCluster = type === "fact_cluster" && text !== "";
  if (!isCluster) {
    return (
      <>
        {title != null && title !== "" && <Stored as="b" text={title} />}{" "}
        <Highlighted text={getExcerpt(text, chars, highlighted)} words={highlighted} />
      </>
    );
  }
  return (
    <>
      <Stored text={shorten(text, chars)} />{" "}
      {entities.slice(0, SHOWN_ENTITIES).map((entity) => (
        <Stored key={entity} as="span" class="chip small" text={entity} />
      ))}
    </>
  );
}

/**
 * Returns the beginning of a text, or the part around the first highlighted word if that comes
 * later.
 */
function getExcerpt(text: string, chars: number, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const first = hits.length === 0 ? 0 : Math.min(...hits);
  return first < 60 ? shorten(text, chars) : `…${shorten(text.slice(first - 30), chars)}`;
}

export function EntityLinks({ entities }: { readonly entities: readonly string[] }) {
  if (entities.length === 0) return null;
  return (
    <p class="about">
      About{" "}
      {entities.map((entity) => (
        <ItemLink key={entity} id={entity} />
      ))}
    </p>
  );
}

interface Line {
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
  lines,
  present,
}: {
  readonly lines: readonly Line[];
  readonly present?: string;
}) {
  return (
    <ul class="lines">
      {lines.map((line) => (
        <li key={line.id} aria-current={line.id === present ? "true" : undefined}>
          <TypeBadge type={line.type} />
          <ItemLink id={line.id}>
            <span class="line-text">
              <ItemSummary item={line} chars={240} />
            </span>
          </ItemLink>
          <Marks item={line} />
          {line.note}
          {line.at !== undefined && <Age at={line.at} />}
        </li>
      ))}
    </ul>
  );
}

/** Loads and shows the text of an episode, a fact or a concept. */
export function ItemText({ id }: { readonly id: string }) {
  const kind = kindOfId(id);
  const episode = useQuery("get_episode", { episode_id: id }, { when: kind === "episode" });
  const fact = useQuery("get_fact", { fact_id: id }, { when: kind === "fact" });
  const concept = useQuery("get_concept", { concept_id: id }, { when: kind === "concept" });
  const text = episode.output?.content ?? fact.output?.statement ?? concept.output?.summary ?? "";
  return <Stored text={text} />;
}
