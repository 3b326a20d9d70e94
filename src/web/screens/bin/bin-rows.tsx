import { useState } from "preact/hooks";
import { shorten } from "../../../shared/text.ts";
import { Age } from "../../components/age.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { behindCursor, pagesOf } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import type { BinPart, BinRow } from "./bin-parts.ts";

const PAGE = 200;

interface BinRowsProps {
  readonly of: BinPart;
  readonly cursor?: string;
}

export function BinRows({ of, cursor }: BinRowsProps) {
  const [isLonger, setLonger] = useState(false);
  const { foreseen } = usePage().writer;
  const place = cursor === undefined ? {} : { cursor };
  const { output } = useQuestion(of.operation, { limit: PAGE, ...place });
  if (output === undefined) return null;
  const rows = of.read(output).filter(({ id }) => foreseen.value.get(id)?.isGone !== true);
  const next = behindCursor(output);
  return (
    <>
      {rows.map((row) => (
        <DeletedRow key={row.id} of={row} />
      ))}
      {next !== undefined &&
        (isLonger ? (
          <BinRows of={of} cursor={next.cursor} />
        ) : (
          <li>
            <button type="button" class="button" onClick={() => setLonger(true)}>
              Show older ones
            </button>
          </li>
        ))}
    </>
  );
}

function DeletedRow({ of: { id, type, text, at } }: { readonly of: BinRow }) {
  const { router, writer, session } = usePage();
  const restore = () => {
    const foreseen = new Map([[id, { isGone: true }]]);
    const { db } = router.place.peek();
    void writer.write("restore", { id }, { db, done: `Restored ${id}.`, foreseen });
  };
  return (
    <li>
      <TypeBadge type={type} />
      <ItemLink id={id}>
        <Stored as="span" class="line-text" text={shorten(text, 240)} />
      </ItemLink>
      <Age at={at} />
      {session.canWrite && (
        <button type="button" class="button" aria-label={`Restore ${id}`} onClick={restore}>
          Restore
        </button>
      )}
    </li>
  );
}

/** All of a part, however much is shown. */
export function SaveBin({ of }: { readonly of: BinPart }) {
  const { client, router } = usePage();
  return (
    <SaveList
      name={`deleted-${of.name}`}
      columns={fields<BinRow>("id", "type", "text", "at")}
      pages={() =>
        pagesOf(client, of.operation, {
          db: router.place.peek().db,
          input: {},
          read: of.read,
          next: behindCursor,
        })
      }
    />
  );
}
