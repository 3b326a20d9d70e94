import { shorten } from "../../../kernel/shorten.ts";
import { Age } from "../../components/age.tsx";
import { Failure } from "../../components/failure.tsx";
import { TypeBadge } from "../../components/item-badge.tsx";
import { ItemLink } from "../../components/link.tsx";
import { fields, SaveList } from "../../components/save-list.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { allAtOnce } from "../../data/pages-of.ts";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";

const MOST = 200;

/** What was deleted and can come back. Only the shell empties it, for good. */
export function BinScreen() {
  const { router, writer, session } = usePage();
  const { db } = router.place.value;
  const { output, failure, again } = useQuestion("list_deleted", { limit: MOST });
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={6} />;
  const foreseen = writer.foreseen.value;
  const rows = [
    ...(output.episodes ?? []).map((one) => ({
      id: one.id,
      type: one.episode_type,
      text: one.content,
      at: one.deleted_at ?? one.updated_at,
    })),
    ...(output.concepts ?? []).map((one) => ({
      id: one.id,
      type: one.type,
      text: `${one.title}: ${one.summary}`,
      at: one.deleted_at ?? one.updated_at,
    })),
  ]
    .filter(({ id }) => foreseen.get(id)?.isGone !== true)
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <div class="page-body">
      <h1>Bin</h1>
      <p class="quiet">
        What is deleted no longer counts, and stays here until <code>cairn purge</code> forgets it
        for good.
      </p>
      {rows.length === 0 ? (
        <p class="empty">Nothing was deleted.</p>
      ) : (
        <>
          <SaveList
            name="bin"
            columns={fields<(typeof rows)[number]>("id", "type", "text", "at")}
            pages={() => allAtOnce(rows)}
          />
          <ul class="lines">
            {rows.map(({ id, type, text, at }) => (
              <li key={id}>
                <TypeBadge type={type} />
                <ItemLink id={id}>
                  <Stored as="span" class="line-text" text={shorten(text, 240)} />
                </ItemLink>
                <Age at={at} />
                {session.canWrite && (
                  <button
                    type="button"
                    class="button"
                    aria-label={`Restore ${id}`}
                    onClick={() =>
                      void writer.write(
                        "restore",
                        { id },
                        {
                          db,
                          done: `Restored ${id}.`,
                          foreseen: new Map([[id, { isGone: true }]]),
                        },
                      )
                    }
                  >
                    Restore
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {rows.length >= MOST && (
        <p class="quiet">
          The {MOST} newest of each kind; <code>cairn deleted</code> lists more.
        </p>
      )}
    </div>
  );
}
