import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { failureOf } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

const PAGE = 200;

type Event = OutputOf<"events">["events"][number];

interface MoreEventsProps {
  readonly change: string;
  /** The last event that is shown. */
  readonly after: number;
  readonly count: number;
}

/** The events of a large change behind the first ones, as many at once as one can read. */
export function MoreEvents({ change, after, count }: MoreEventsProps) {
  const { client, router, toasts } = usePage();
  const [events, setEvents] = useState<readonly Event[]>([]);
  const [isBusy, setBusy] = useState(false);
  const left = count - events.length;
  const load = async () => {
    setBusy(true);
    try {
      const { db } = router.place.peek();
      const since = events.at(-1)?.seq ?? after;
      const { output } = await client.call("events", { since_seq: since, limit: PAGE }, { db });
      const found = output.events.filter(({ change_id: of }) => of === change);
      setEvents([...events, ...found]);
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <ul>
        {events.map(({ seq, kind, subject_id: subject, subject_type: type }) => (
          <li key={seq} class="change-event">
            <span class="type">{kind.replaceAll("_", " ")}</span>
            {type === "topic" ? <Stored text={subject} /> : <ItemLink id={subject} />}
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void load()}>
          Show {Math.min(PAGE, left).toLocaleString("en")} of {left.toLocaleString("en")} more
        </button>
      )}
    </>
  );
}
