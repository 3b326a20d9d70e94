import { useEffect, useRef } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Button, Form } from "../../components/controls.tsx";
import { copyText } from "../../components/copy-button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Keys } from "../../components/keys.tsx";
import { Link } from "../../components/link.tsx";
import { Menu } from "../../components/menu.tsx";
import { Stored } from "../../components/stored.tsx";
import {
  behindCursor,
  escapeMarkdown,
  getPages,
  LIST_FORMATS,
  type ListFormat,
  saveBlob,
  writeList,
} from "../../data/list-file.ts";
import { getFailure } from "../../data/request-failed.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { asCommand, DEFAULT_KINDS, getChips, getSort, toFilter } from "./find-filter.ts";

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

/** Menu that copies or saves the list with the filters of the URL. */
function Export({ narrowing }: { readonly narrowing: Readonly<Record<string, string>> }) {
  const { client, router, toasts } = usePage();
  const { db } = router.location.value;
  const pages = () =>
    getPages(client, "items", {
      db,
      input: toFilter(narrowing),
      read: ({ items }) => items,
      next: behindCursor,
    });
  const save = async (format: ListFormat) => {
    try {
      const { blob, rows } = await writeList(pages(), format, { columns: COLUMNS, line: lineOf });
      const file = `${db}-items.${format}`;
      saveBlob(blob, file);
      toasts.tell(`Saved ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} as ${file}.`);
    } catch (error) {
      toasts.showError(getFailure(error).message);
    }
  };
  const copy = (title: string, text: string) => ({
    title: `Copy ${title}`,
    run: () => void copyText(toasts, title, text),
  });
  return (
    <Menu
      label="Export"
      items={[
        copy("command", asCommand(narrowing, db)),
        copy("link", location.href),
        ...LIST_FORMATS.map((format) => ({
          title: `Save as .${format}`,
          run: () => void save(format),
        })),
      ]}
    />
  );
}

function lineOf({ id, type, title, text, at, asserted_by: by }: Item): string {
  const said = [title, text].filter(Boolean).join(": ").replace(/\s+/g, " ");
  const who = by === null ? "" : `, ${by}`;
  return `- ${escapeMarkdown(said)} (${type}, ${at.slice(0, 10)}${escapeMarkdown(who)}, \`${id}\`)\n`;
}

const TABS = [
  { kinds: "", title: "Memories" },
  { kinds: "fact", title: "Facts" },
  { kinds: "concept", title: "Concepts" },
  { kinds: "entity", title: "Entities" },
] as const;

function KindTabs() {
  const { router } = usePage();
  const { query } = router.location.value;
  const { sel: _sel, ...narrowing } = query;
  const counted = useQuery(
    "items",
    {
      ...toFilter(narrowing),
      kinds: ["episode", "fact", "concept", "entity"],
      limit: 1,
      facets: ["kind"],
    },
    { pause: 5_000 },
  );
  const counts = new Map(counted.output?.facets?.kind?.map(({ value, count }) => [value, count]));
  return (
    <nav class="tabs kind-tabs" aria-label="Kinds">
      {TABS.map(({ kinds, title }) => {
        const names = kinds === "" ? DEFAULT_KINDS : [kinds];
        const count = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
        return (
          <Link
            key={title}
            to={router.href({ screen: "find", query: { ...narrowing, kinds } })}
            aria-current={(query.kinds ?? "") === kinds ? "page" : undefined}
          >
            {title}
            {counts.size > 0 && <span class="count">{count.toLocaleString("en")}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

interface FindHeadProps {
  readonly total: number | undefined;
  onFilter(): void;
  onOpenFirst(): void;
}

export function FindHead({ total, onFilter, onOpenFirst }: FindHeadProps) {
  const { router } = usePage();
  const { query } = router.location.value;
  const { sel: _sel, ...narrowing } = query;
  const chips = getChips(narrowing);
  return (
    <div class="find-top">
      <div class="find-head">
        <SearchField text={query.q ?? ""} onSubmit={onOpenFirst} />
        <select
          aria-label="Order"
          value={getSort(query)}
          onChange={({ currentTarget }) => router.setQuery({ sort: currentTarget.value }, "push")}
        >
          {query.q && <option value="best">Best match</option>}
          <option value="newest">Newest</option>
          <option value="oldest">Oldest</option>
          <option value="updated">Recently updated</option>
        </select>
        <Button kind="narrow-only" onClick={onFilter}>
          Filters{chips.length > 0 && ` (${chips.length})`}
        </Button>
        <span class="total" role="status">
          {total === undefined
            ? ""
            : `${total.toLocaleString("en")} ${total === 1 ? "item" : "items"}`}
        </span>
        <Export narrowing={narrowing} />
      </div>
      <KindTabs />
      {chips.length > 0 && (
        <ul class="chips" aria-label="Active filters">
          {chips.map(({ name, value, without }) => (
            <li key={`${name} ${value}`}>
              <button
                type="button"
                class="chip"
                aria-label={`Remove filter ${name} ${value}`}
                onClick={() => router.setQuery(without, "push")}
              >
                {name === "q" ? "search" : name}: <Stored text={value} /> <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface SearchFieldProps {
  readonly text: string;
  onSubmit(): void;
}

/** Filters the list while typing; Enter opens the first result. */
function SearchField({ text, onSubmit }: SearchFieldProps) {
  const { actions, router } = usePage();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const { typedSearch: typed } = actions;
    actions.typedSearch = undefined;
    if (typed === undefined || field.current === null) return;
    field.current.focus();
    field.current.value = typed;
    router.setQuery({ q: typed });
  }, [actions, router]);
  useEffect(() => {
    const element = field.current;
    if (element !== null && document.activeElement !== element) element.value = text;
  }, [text]);
  return (
    <Form class="search" role="search" onSubmit={() => onSubmit()}>
      <Icon name="find" />
      <input
        ref={field}
        type="search"
        aria-label="Search memory"
        placeholder="Search memory"
        defaultValue={text}
        onInput={({ currentTarget }) => router.setQuery({ q: currentTarget.value, sel: "" })}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "ArrowDown") {
            event.preventDefault();
            const { currentTarget } = event;
            currentTarget.blur();
            document.querySelector<HTMLElement>(".list")?.focus();
          }
        }}
      />
      <Keys keys={["/"]} />
    </Form>
  );
}
