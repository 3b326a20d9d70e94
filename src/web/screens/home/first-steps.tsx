import { useState } from "preact/hooks";
import { failureOf } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";
import { ImportFile } from "./import-file.tsx";

/** An empty memory: three ways to begin. Looking writes nothing. */
export function FirstSteps() {
  const { router, toasts, writer, session } = usePage();
  const { db } = router.place.value;
  const [isBusy, setBusy] = useState(false);
  const entry = JSON.stringify(
    { mcpServers: { cairn: { command: "cairn", args: ["mcp", "--db", db] } } },
    null,
    2,
  );
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(
      () => toasts.tell("Copied."),
      () => toasts.tellError("The browser does not let this page copy: mark the text."),
    );
  const loadExample = async () => {
    setBusy(true);
    try {
      const response = await fetch("/ui/assets/example.txt");
      const changeset = await response.text();
      await writer.write(
        "apply",
        { changeset },
        { db, done: ({ results }) => `Loaded the example: ${results.length} ops.` },
      );
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="first-steps">
      <p class="lead">Nothing is remembered here yet. Three ways to begin:</p>
      <section>
        <h2>1. Let an agent remember</h2>
        <p>
          <code>cairn connect</code> finds the clients that are installed and sets them up. Or put
          this into the MCP settings of one:
        </p>
        <div class="copyable">
          <pre class="json">{entry}</pre>
          <button type="button" class="button" onClick={() => void copy(entry)}>
            Copy
          </button>
        </div>
        <p class="quiet">
          A client that speaks HTTP takes{" "}
          <code>
            {location.origin}/mcp?db={db}
          </code>
          . What the agent writes appears here as it is written.
        </p>
      </section>
      {session.canWrite && (
        <>
          <section>
            <h2>2. Bring in what another tool remembers</h2>
            <ImportFile />
          </section>
          <section>
            <h2>3. Look at the example</h2>
            <p>
              Half a year of a small payment service, with facts that contradict each other. It can
              be undone afterwards.
            </p>
            <button
              type="button"
              class="button"
              disabled={isBusy}
              onClick={() => void loadExample()}
            >
              Load the example
            </button>
          </section>
        </>
      )}
    </div>
  );
}
