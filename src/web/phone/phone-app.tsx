import { useEffect, useMemo, useState } from "preact/hooks";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { noticeStanding } from "../agent/notices.ts";
import { Stored } from "../components/stored.tsx";
import { withVisibleControls } from "../data/stored-text.ts";
import { useWaitingMark } from "../shell/use-waiting-mark.ts";
import type { PhoneAccess } from "./phone-access.ts";
import { PhoneNotices } from "./phone-notices.ts";
import { PhoneThread } from "./phone-thread.tsx";
import { WaitingHere } from "./waiting-here.tsx";

/** What a paired phone shows: what waits for an answer, and how the threads stand. */
export function PhoneApp({ access }: { readonly access: PhoneAccess }) {
  const standing = access.standing.value;
  const connection = access.connection.value;
  const threadId = useShownThread();
  useTitle(access, connection);
  return (
    <div class="phone">
      <header class="phone-head">
        <b>cairn</b>
        <Stored as="span" class="quiet" text={nameOf(access.project.value)} />
        <span class="connection" data-state={connection?.isLive.value === true ? "live" : "lost"}>
          {connection?.isLive.value === true ? "Live" : "Not connected"}
        </span>
      </header>
      <main id="main">
        {standing === "alone" && <NotPaired why={access.refusal.value} />}
        {standing === "lost" && (
          <p class="notice warn" role="status">
            The computer does not answer. This page goes on looking for it.
          </p>
        )}
        {connection !== undefined &&
          (threadId === undefined ? (
            <>
              <WaitingHere access={access} connection={connection} />
              <Notices of={connection} />
            </>
          ) : (
            <PhoneThread connection={connection} threadId={threadId} />
          ))}
      </main>
    </div>
  );
}

/** Asked for by a person, where the browser has them. */
function Notices({ of }: { readonly of: AgentConnection }) {
  const notices = useMemo(() => new PhoneNotices(), []);
  useEffect(() => notices.tellOf(of), [notices, of]);
  switch (noticeStanding.value) {
    case "granted":
      return null;
    case "default":
      return (
        <p class="page-body">
          <button type="button" class="button" onClick={() => void notices.ask()}>
            Tell me when it asks, also while I look elsewhere
          </button>
        </p>
      );
    case "denied":
      return <p class="page-body quiet">This browser was told to show no notices of this page.</p>;
    case "impossible":
      return (
        <p class="page-body quiet">
          This browser shows notices of pages that came over https only.
        </p>
      );
  }
}

function NotPaired({ why }: { readonly why: string | undefined }) {
  return (
    <div class="page-body">
      <h1>Not paired</h1>
      {why !== undefined && (
        <p class="notice warn" role="alert">
          {why}
        </p>
      )}
      <p>
        Call <code>cairn pair</code> on the computer and point this phone's camera at the code that
        it shows.
      </p>
    </div>
  );
}

/** Which thread the address shows: going back leads out of it. */
function useShownThread(): string | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, []);
  return new URLSearchParams(hash.slice(1)).get("thread") ?? undefined;
}

function useTitle({ project }: PhoneAccess, connection: AgentConnection | undefined): void {
  const waiting = connection?.waiting.value ?? 0;
  const name = nameOf(project.value);
  useWaitingMark(waiting);
  useEffect(() => {
    const count = waiting === 0 ? "" : `(${waiting}) `;
    document.title = withVisibleControls(`${count}${name === "" ? "" : `${name} · `}cairn`);
  }, [waiting, name]);
}

function nameOf(project: string): string {
  return project.split(/[\\/]/).at(-1) ?? "";
}
