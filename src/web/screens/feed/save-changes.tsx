import type { InputOf } from "../../../memory/index.ts";
import { fields, SaveList } from "../../components/save-list.tsx";
import { pagesOf } from "../../data/pages-of.ts";
import { usePage } from "../../page.ts";
import type { Change } from "./change-list.ts";

export function SaveChanges({ filter }: { readonly filter: InputOf<"changes"> }) {
  const { client, router } = usePage();
  return (
    <SaveList<Change>
      name="changes"
      columns={COLUMNS}
      pages={() =>
        pagesOf(client, "changes", {
          db: router.place.peek().db,
          input: { texts: true, ...filter },
          read: ({ changes }) => changes,
          next: ({ next_before: before }) => (before === null ? undefined : { before }),
        })
      }
    />
  );
}

const COLUMNS: Readonly<Record<string, (change: Change) => unknown>> = {
  ...fields<Change>("id", "ts", "author", "surface", "session", "operation", "event_count"),
  ...fields<Change>("undo_of", "undone_by"),
  says: ({ texts = {} }) => Object.entries(texts).map(([id, text]) => `${id}: ${text}`),
};
