import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { DayField } from "../../components/day-field.tsx";
import { Failure } from "../../components/failure.tsx";
import { Link, NamedItem } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";

type Recall = OutputOf<"recalls">["recalls"][number];

const PAGE = 50;

export function RecallsScreen() {
  const { router } = usePage();
  return (
    <div class="page-body recalls">
      <h1>Recall log</h1>
      <p class="quiet">
        Results that each session received: from hooks, MCP, REST, the CLI, the agent and this page.
        To query memory yourself, open <Link to={router.href({ screen: "recall" })}>Recall</Link>.
      </p>
      <Sessions />
    </div>
  );
}

function Sessions() {
  const { router } = usePage();
  const { query } = router.location.value;
  const [limit, setLimit] = useState(PAGE);
  const { session, text, item, day, as_of: asOf } = query;
  const filter = {
    ...(session && { session }),
    ...(text && { text }),
    ...(item && { item }),
    ...(asOf && { until: asOf }),
    ...(day && { since: day, until: day }),
  };
  const { output, failure, retry } = useQuery("recalls", { ...filter, limit });
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  return (
    <>
      <Filters retry={retry} />
      {output === undefined && <Loading rows={6} />}
      {output?.recalls.length === 0 && (
        <p class="empty">
          {Object.keys(filter).length === 0 ? "No recalls yet." : "No recalls match these filters."}
        </p>
      )}
      {getSessions(output?.recalls ?? []).map(([name, recalls]) => (
        <section key={name ?? ""} class="recalls-session" aria-label={name ?? "No session"}>
          <h2>
            {name === null ? (
              "No session"
            ) : (
              <Link to={router.href({ screen: "recalls", query: { session: name } })}>
                <Stored text={name} />
              </Link>
            )}
          </h2>
          <ol class="lines">
            {recalls.map((recall) => (
              <li key={recall.id}>
                <RecallNote recall={recall} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {output?.next_cursor !== undefined && limit < 500 && (
        <Button kind="older" onClick={() => setLimit(Math.min(500, limit * 2))}>
          Older
        </Button>
      )}
    </>
  );
}

function Filters({ retry }: { retry(): void }) {
  const { router } = usePage();
  const { session = "", text = "", item = "", day = "" } = router.location.value.query;
  const set = (change: Record<string, string>) => router.setQuery(change, "push");
  return (
    <div class="feed-filters">
      <label>
        <span class="unseen">Query</span>
        <input
          placeholder="Query"
          value={text}
          onChange={({ currentTarget }) => set({ text: currentTarget.value.trim() })}
        />
      </label>
      <label>
        <span class="unseen">Returned item</span>
        <input
          placeholder="Returned item"
          value={item}
          onChange={({ currentTarget }) => set({ item: currentTarget.value.trim() })}
        />
      </label>
      <DayField value={day} onChange={(chosen) => set({ day: chosen })} />
      {session !== "" && <Button onClick={() => set({ session: "" })}>All sessions</Button>}
      <Button onClick={retry}>Refresh</Button>
    </div>
  );
}

/** Groups recalls by session, by the newest recall of each. */
function getSessions(recalls: readonly Recall[]): [string | null, Recall[]][] {
  const found = new Map<string | null, Recall[]>();
  for (const recall of recalls) {
    const known = found.get(recall.session);
    if (known === undefined) found.set(recall.session, [recall]);
    else known.push(recall);
  }
  return [...found];
}

const WAYS: Readonly<Record<Recall["way"], string>> = {
  start: "session start",
  prompt: "prompt",
  moment: "tool call",
  mcp: "MCP",
  rest: "REST",
  cli: "CLI",
  agent: "agent",
  library: "library",
  page: "page",
};

function RecallNote({ recall }: { readonly recall: Recall }) {
  return (
    <details class="recall-note">
      <summary>
        <span class="type">{WAYS[recall.way]}</span>{" "}
        {recall.question === null ? (
          <span class="quiet">{recall.way === "start" ? "First prompt" : "no query"}</span>
        ) : (
          <Stored text={recall.question} />
        )}{" "}
        <span class="quiet">
          {recall.client !== null && <Stored text={`${recall.client}, `} />}
          {recall.given} returned{recall.cut > 0 && `, ${recall.cut} cut off`}
        </span>{" "}
        <Age at={recall.at} />
      </summary>
      {recall.items.length === 0 && <p class="quiet">No results.</p>}
      <ol class="lines">
        {recall.items.map(({ id, rank, score, cut, type, text }) => (
          <li key={rank} data-cut={cut}>
            <span class="rank">{rank}</span>
            <NamedItem id={id} type={type} text={text} />
            {cut && <span class="mark warn">cut off</span>}
            {score !== null && <span class="score number">{score.toFixed(2)}</span>}
          </li>
        ))}
      </ol>
    </details>
  );
}
