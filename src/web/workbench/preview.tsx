import { useEffect, useState } from "preact/hooks";
import type { InputOf, OutputOf } from "../../memory/index.ts";
import { ItemLink, ItemText } from "../components/link.tsx";
import { Stored } from "../components/stored.tsx";
import { getFailure } from "../data/request-failed.ts";
import { useQuery } from "../data/use-query.ts";
import { usePage } from "../page.ts";

/** Milliseconds without typing before the preview is computed. */
const TYPING_PAUSE = 400;

type Result = OutputOf<"apply">["results"][number];

interface Tried {
  readonly results: readonly Result[];
  readonly failure: string | undefined;
}

export function Preview({ ops }: { readonly ops: readonly object[] }) {
  const { client, router } = usePage();
  const { db } = router.location.value;
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const changeset = JSON.stringify(ops, null, 2);
  useEffect(() => {
    const ending = new AbortController();
    const timer = setTimeout(() => {
      client
        .call("apply", { changeset, dry_run: true }, { db, signal: ending.signal })
        .then(({ output }) => setTried({ results: output.results, failure: undefined }))
        .catch((error: unknown) => {
          if (!ending.signal.aborted) setTried({ results: [], failure: getFailure(error).message });
        });
    }, TYPING_PAUSE);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [client, db, changeset]);
  return (
    <section class="preview" aria-label="Preview" role="status">
      {tried?.failure !== undefined && <p class="notice warn">{tried.failure}</p>}
      {tried !== undefined && tried.failure === undefined && (
        <>
          <p class="quiet">
            Makes {tried.results.length === 1 ? "1 change" : `${tried.results.length} changes`}; not
            saved yet.
          </p>
          <Collisions results={tried.results} />
        </>
      )}
      <details>
        <summary>Changeset</summary>
        <Stored as="pre" class="json" text={changeset} />
      </details>
    </section>
  );
}

/** Lists the text that a purge would destroy. */
export function PurgePreview({ input }: { readonly input: InputOf<"purge"> }) {
  const dryRun: InputOf<"purge"> = { ...input, dry_run: true };
  const hasTarget = Object.keys(input).some((name) => name !== "dry_run");
  const { output, failure } = useQuery("purge", dryRun, { when: hasTarget, isFixed: true });
  if (!hasTarget) return null;
  if (failure !== undefined) return <p class="notice warn">{failure.message}</p>;
  if (output === undefined) return <p class="quiet">Loading …</p>;
  const { purged } = output;
  return (
    <section class="preview" aria-label="Preview" role="status">
      <p class="notice danger">
        Permanently destroys the text of {purged.length === 1 ? "1 item" : `${purged.length} items`}
        , including its history, search index and undo. This cannot be undone.
      </p>
      <ul class="lines">
        {purged.slice(0, MAX_PURGE_ROWS).map((id) => (
          <li key={id}>
            <ItemLink id={id} />
            <ItemText id={id} />
          </li>
        ))}
      </ul>
      {purged.length > MAX_PURGE_ROWS && (
        <p class="quiet">and {purged.length - MAX_PURGE_ROWS} more</p>
      )}
    </section>
  );
}

const MAX_PURGE_ROWS = 20;

interface Collision {
  readonly id: string;
  readonly statement: string;
}

/** Lists similar facts that this one may contradict, closest first. */
function Collisions({ results }: { readonly results: readonly Result[] }) {
  const found = results.flatMap(({ collisions }) => (Array.isArray(collisions) ? collisions : []));
  const known = found.filter(isCollision);
  if (known.length === 0) return null;
  return (
    <>
      <p class="notice warn">Possible conflict with:</p>
      <ul class="lines">
        {known.map(({ id, statement }) => (
          <li key={id}>
            <ItemLink id={id} />
            <Stored as="span" class="line-text" text={statement} />
          </li>
        ))}
      </ul>
    </>
  );
}

function isCollision(value: unknown): value is Collision {
  return typeof value === "object" && value !== null && "id" in value && "statement" in value;
}
