import { useEffect, useRef, useState } from "preact/hooks";
import { GO_ACTIONS } from "./actions/action.ts";
import type { Overlay } from "./actions/action-registry.ts";
import { Button, IconButton } from "./components/controls.tsx";
import { Keys } from "./components/keys.tsx";
import { Link } from "./components/link.tsx";
import { useDelayed } from "./components/loading.tsx";
import { Stored } from "./components/stored.tsx";
import { type Part, Suspense } from "./components/suspense.tsx";
import { getFailure } from "./data/request-failed.ts";
import type { Session } from "./data/session.ts";
import { withVisibleControls } from "./data/stored-text.ts";
import { usePage } from "./page.ts";
import { getAddress, type PageLocation } from "./routing/location.ts";
import { SCREEN_PARTS } from "./screens/registry.ts";
import { AreaViews, AsOfBanner, Rail } from "./shell/rail.tsx";

const TOKEN_FORM: Part = {
  load: async () => (await import("./shell/token-form.tsx")).TokenForm,
};
const DIALOGS: Part<{ readonly overlay: Overlay }> = {
  load: async () => (await import("./shell/overlay-dialogs.tsx")).OverlayDialog,
};

/** The frame around the screens. */
export function App() {
  const { router, session, client, live, agent, actions } = usePage();
  const overlay = actions.overlay.value;
  const location = router.location.value;
  const isRefused = session.refused.value !== undefined;
  const [hasNoDatabase, setHasNoDatabase] = useState(false);
  useEffect(() => {
    if (isRefused) return;
    client.loadServerInfo().catch((error: unknown) => {
      if (getFailure(error).code === "forbidden") setHasNoDatabase(true);
      reportLostConnection(session, error);
    });
  }, [client, session, isRefused]);
  const known = session.server.value;
  useEffect(() => {
    if (location.db !== "" || known === undefined) return;
    client.firstDatabase().then(
      (db) => {
        setHasNoDatabase(db === undefined);
        if (db !== undefined) router.go(getAddress({ ...location, db }), "replace");
      },
      (error: unknown) => reportLostConnection(session, error),
    );
  }, [client, session, router, location, known]);
  useEffect(() => {
    if (location.db !== "" && !isRefused) live.follow(location.db);
  }, [live, location.db, isRefused]);
  useReconnectAfterLogin(isRefused);
  useScreenTitle(location);
  const isAgentOnly =
    isRefused && location.screen === "agent" && agent.access.status.value !== "absent";
  if (isRefused && !isAgentOnly) return <Suspense part={TOKEN_FORM} props={{}} />;
  return (
    <div class={isAgentOnly ? "frame alone" : "frame"}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {!isAgentOnly && <Rail />}
      <main id="main" tabIndex={-1} data-screen={location.screen}>
        <Banner />
        <AsOfBanner />
        {location.db !== "" && <AreaViews />}
        {location.db === "" && hasNoDatabase && <NoDatabase />}
        {location.isUnknown && <NotFound />}
        {location.db !== "" && !location.isUnknown && (
          <Suspense
            key={`${location.db} ${location.screen}`}
            part={SCREEN_PARTS[location.screen]}
            props={{}}
          />
        )}
      </main>
      <ToastList />
      {overlay !== undefined && <Suspense part={DIALOGS} props={{ overlay }} />}
    </div>
  );
}

function NotFound() {
  const { router } = usePage();
  return (
    <div class="empty">
      <h1>Page not found</h1>
      <Link to={router.href({ screen: "home" })}>Go to Home</Link>
    </div>
  );
}

function NoDatabase() {
  return (
    <div class="empty">
      <p>You are logged in but have no access to a database.</p>
      <p class="quiet">
        The administrator can grant you a role with <code>cairn access grant</code>. Then reload
        this page.
      </p>
    </div>
  );
}

/** Reconnects the live feed after a token was entered here or in another tab. */
function useReconnectAfterLogin(isRefused: boolean): void {
  const { live } = usePage();
  const wasRefused = useRef(false);
  useEffect(() => {
    if (wasRefused.current && !isRefused) live.retry();
    wasRefused.current = isRefused;
  }, [live, isRefused]);
}

/** The banner reports a lost connection; the feed reconnects by itself. */
function reportLostConnection(session: Session, error: unknown): void {
  if (getFailure(error).code === "offline") session.connection.value = "lost";
}

function Banner() {
  const { session, live } = usePage();
  const isLost = useDelayed(600, session.connection.value === "lost");
  if (session.isOutdated.value) {
    return (
      <div class="banner" role="status">
        The server was updated.
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    );
  }
  if (!isLost) return null;
  return (
    <div class="banner warn" role="status">
      Server unreachable. Changes are disabled until it is back.
      <Button onClick={() => live.retry()}>Retry</Button>
    </div>
  );
}

function ToastList() {
  const { toasts, writer, router } = usePage();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.shown.value.map(({ number, text, isError, changes }) => (
        <div key={number} class={isError ? "toast error" : "toast"}>
          <Stored as="span" class="toast-text" text={text} />
          {changes.length > 0 && (
            <Button
              onClick={() => {
                toasts.dismiss(number);
                void writer.undo(router.location.peek().db, changes);
              }}
            >
              Undo <Keys keys={["z"]} />
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => toasts.dismiss(number)} />
        </div>
      ))}
    </div>
  );
}

function useScreenTitle(location: PageLocation): void {
  const { db, screen, id, query } = location;
  const connection = usePage().agent.connection.value;
  const waiting = connection?.waiting.value ?? 0;
  const thread =
    screen === "agent"
      ? (connection?.threads.value?.find(({ threadId }) => threadId === id)?.title ?? "Agent")
      : undefined;
  const title =
    thread ??
    id ??
    query.change ??
    query.q ??
    GO_ACTIONS.find((one) => one.screen === screen)?.title;
  useEffect(() => {
    const parts = [title ?? screen, db, "cairn"].filter((part) => part !== "");
    const count = waiting === 0 ? "" : `(${waiting}) `;
    document.title = withVisibleControls(count + parts.join(" · "));
  }, [title, screen, db, waiting]);
  useWaitingIcon(waiting);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && !isInDialogOrMain(document.activeElement)) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [screen, db, id]);
}

function isInDialogOrMain(element: Element | null): boolean {
  return element?.closest("dialog, main") != null;
}

function useWaitingIcon(waiting: number): void {
  const name = waiting === 0 ? "icon" : "icon-waiting";
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", `/ui/assets/${name}.svg`);
  }, [name]);
}
