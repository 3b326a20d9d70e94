import { useEffect } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import { Stored } from "../../components/stored.tsx";

/** Between two looks at who else runs; milliseconds. */
const PAUSE_MS = 10_000;

export function OtherProjects({ connection }: { readonly connection: AgentConnection }) {
  const isLive = connection.isLive.value;
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) connection.send({ type: "server.list", payload: {} });
    }, PAUSE_MS);
    return () => clearInterval(timer);
  }, [connection, isLive]);
  const others = connection.answers.servers.value.filter(({ isThis }) => !isThis);
  if (others.length === 0) return null;
  return (
    <section class="other-projects" aria-label="Other projects">
      <h2>Other projects</h2>
      <ul>
        {others.map(({ url, cwd, hasPage, waiting }) => (
          <li key={url} title={cwd}>
            {hasPage ? (
              <a href={`${url}/ui/default/agent`} target="_blank" rel="noopener noreferrer">
                <Stored text={lastPart(cwd)} />
              </a>
            ) : (
              <Stored as="span" text={`${lastPart(cwd)} (${url})`} />
            )}
            {waiting > 0 && <span class="mark warn">{waiting} waiting</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
