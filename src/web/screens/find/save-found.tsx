import type { OutputOf } from "../../../memory/index.ts";
import { SaveList } from "../../components/save-list.tsx";
import { escapeMarkdown } from "../../data/list-file.ts";
import { behindCursor, pagesOf } from "../../data/pages-of.ts";
import { usePage } from "../../page.ts";
import { type ItemsInput, toFilter } from "./find-filter.ts";

type Item = OutputOf<"items">["items"][number];

const COLUMNS: Readonly<Record<string, (item: Item) => unknown>> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  type: ({ type }) => type,
  title: ({ title }) => title,
  text: ({ text }) => text,
  at: ({ at }) => at,
  by: ({ asserted_by: by }) => by,
  source: ({ source_ref: source }) => source,
  session: ({ session }) => session,
  topic: ({ topic_id: topic }) => topic,
  entities: ({ entities }) => entities,
  labels: ({ labels }) => labels.map(({ key, value }) => `${key}=${value}`),
};

/** The list as its address narrows it. */
export function SaveFound() {
  const { router } = usePage();
  const { sel: _sel, ...narrowing } = router.place.value.query;
  return <SaveItems name="items" filter={toFilter(narrowing)} />;
}

/** Items that pass a filter. */
export function SaveItems({
  name,
  filter,
}: {
  readonly name: string;
  readonly filter: ItemsInput;
}) {
  const { client, router } = usePage();
  return (
    <SaveList
      name={name}
      columns={COLUMNS}
      line={lineOf}
      pages={() =>
        pagesOf(client, "items", {
          db: router.place.peek().db,
          input: filter,
          read: ({ items }) => items,
          next: behindCursor,
        })
      }
    />
  );
}

function lineOf({ id, type, title, text, at, asserted_by: by }: Item): string {
  const said = [title, text].filter(Boolean).join(": ").replace(/\s+/g, " ");
  const who = by === null ? "" : `, ${by}`;
  return `- ${escapeMarkdown(said)} (${type}, ${at.slice(0, 10)}${escapeMarkdown(who)}, \`${id}\`)\n`;
}
