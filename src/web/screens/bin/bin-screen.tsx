import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { shorten } from "../../../shared/text.ts";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Failure } from "../../components/failure.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink, Link } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { behindCursor } from "../../data/list-file.ts";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";

interface BinRow {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** Time of deletion. */
  readonly at: string;
}

/** Kinds of items that can be deleted, with the query for a page of each. */
const BIN_PARTS = [
  {
    name: "episodes",
    title: "Episodes",
    operation: "list_deleted_episodes",
    read: (output: object): readonly BinRow[] =>
      (output as OutputOf<"list_deleted_episodes">).episodes.map((one) => ({
        id: one.id,
        type: one.episode_type,
        text: one.content,
        at: one.deleted_at ?? one.updated_at,
      })),
  },
  {
    name: "concepts",
    title: "Concepts",
    operation: "list_deleted_concepts",
    read: (output: object): readonly BinRow[] =>
      (output as OutputOf<"list_deleted_concepts">).concepts.map((one) => ({
        id: one.id,
        type: one.type,
        text: `${one.title}: ${one.summary}`,
        at: one.deleted_at ?? one.updated_at,
      })),
  },
] as const;

type BinPart = (typeof BIN_PARTS)[number];

const PAGE = 200;

interface BinRowsProps {
  readonly part: BinPart;
  readonly cursor?: string;
}

function BinRows({ part, cursor }: BinRowsProps) {
  const [isLonger, setLonger] = useState(false);
  const { optimistic } = usePage().writer;
  const page = cursor === undefined ? {} : { cursor };
  const { output } = useQuery(part.operation, { limit: PAGE, ...page });
  if (output === undefined) return null;
  const rows = part.read(output).filter(({ id }) => optimistic.value.get(id)?.isRemoved !== true);
  const next = behindCursor(output);
  return (
    <>
      {rows.map((row) => (
        <DeletedRow key={row.id} row={row} />
      ))}
      {next !== undefined &&
        (isLonger ? (
          <BinRows part={part} cursor={next.cursor} />
        ) : (
          <li>
            <Button onClick={() => setLonger(true)}>Show more</Button>
          </li>
        ))}
    </>
  );
}

function DeletedRow({ row: { id, type, text, at } }: { readonly row: BinRow }) {
  const { router, writer, session } = usePage();
  const restore = () => {
    const optimistic = new Map([[id, { isRemoved: true }]]);
    const { db } = router.location.peek();
    void writer.write("restore", { id }, { db, done: `Restored ${id}.`, optimistic });
  };
  return (
    <li>
      <TypeBadge type={type} />
      <ItemLink id={id}>
        <Stored as="span" class="line-text" text={shorten(text, 240)} />
      </ItemLink>
      <Age at={at} />
      {session.canWrite && (
        <Button aria-label={`Restore ${id}`} onClick={restore}>
          Restore
        </Button>
      )}
    </li>
  );
}

export function BinScreen() {
  const { router } = usePage();
  const episodes = useQuery("list_deleted_episodes", { limit: 1 });
  const concepts = useQuery("list_deleted_concepts", { limit: 1 });
  const { failure, retry } = episodes.failure === undefined ? concepts : episodes;
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (episodes.output === undefined || concepts.output === undefined) return <Loading rows={6} />;
  const totals = { episodes: episodes.output.total, concepts: concepts.output.total };
  const present = totals.episodes === 0 && totals.concepts > 0 ? "concepts" : "episodes";
  const query = router.location.value.query.part ?? present;
  const part = BIN_PARTS.find(({ name }) => name === query) ?? BIN_PARTS[0];
  return (
    <div class="page-body">
      <h1>Trash</h1>
      <p class="quiet">
        Deleted items are not recalled. They stay here until <code>cairn purge</code> removes them
        permanently.
      </p>
      <nav class="tabs" aria-label="Kinds">
        {BIN_PARTS.map(({ name, title }) => (
          <Link
            key={name}
            to={router.href({ screen: "bin", query: { part: name } })}
            aria-current={name === part.name ? "page" : undefined}
          >
            {title} <span class="count">{totals[name].toLocaleString("en")}</span>
          </Link>
        ))}
      </nav>
      {totals[part.name] === 0 ? (
        <p class="empty">The trash is empty.</p>
      ) : (
        <ul class="lines">
          <BinRows key={part.name} part={part} />
        </ul>
      )}
    </div>
  );
}
