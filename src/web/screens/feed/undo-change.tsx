import { usePage } from "../../page.ts";
import type { Change } from "./change-list.ts";

const MANY = 20;

export function UndoChange({ of: { id, event_count: count, undone_by: by } }: { of: Change }) {
  const { router, writer, session } = usePage();
  if (!session.canWrite || by !== null) return null;
  const amount = count.toLocaleString("en");
  return (
    <button
      type="button"
      class="button quiet"
      aria-label={`Undo ${id}`}
      onClick={() => {
        const question = `Undo takes back all ${amount} steps of ${id}. Go on?`;
        if (count < MANY || confirm(question)) void writer.undo(router.place.peek().db, [id]);
      }}
    >
      {count < MANY ? "Undo" : `Undo all ${amount}`}
    </button>
  );
}
