import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "./components/link.tsx";
import { Suspense } from "./components/suspense.tsx";
import { failureOf } from "./data/request-failed.ts";
import type { Session } from "./data/session.ts";
import { usePage } from "./page.ts";
import { addressOf } from "./routing/place.ts";
import { SCREEN_PARTS } from "./screens/registry.ts";
import { AsOfBanner } from "./shell/as-of.tsx";
import { Banner } from "./shell/banner.tsx";
import { Overlays } from "./shell/overlays.tsx";
import { AreaViews, Rail } from "./shell/rail.tsx";
import { ToastList } from "./shell/toast-list.tsx";
import { TokenForm } from "./shell/token-form.tsx";
import { useScreenTitle } from "./shell/use-screen-title.ts";

/** The frame around the screens. */
export function App() {
  const { router, session, client, live, agent } = usePage();
  const place = router.place.value;
  const isRefused = session.refused.value !== undefined;
  const [opensNone, setOpensNone] = useState(false);
  useEffect(() => {
    if (isRefused) return;
    client.greet().catch((error: unknown) => {
      if (failureOf(error).code === "forbidden") setOpensNone(true);
      tellIfLost(session, error);
    });
  }, [client, session, isRefused]);
  const known = session.server.value;
  useEffect(() => {
    if (place.db !== "" || known === undefined) return;
    client.firstDatabase().then(
      (db) => {
        setOpensNone(db === undefined);
        if (db !== undefined) router.go(addressOf({ ...place, db }), "replace");
      },
      (error: unknown) => tellIfLost(session, error),
    );
  }, [client, session, router, place, known]);
  useEffect(() => {
    if (place.db !== "" && !isRefused) live.follow(place.db);
  }, [live, place.db, isRefused]);
  useFollowingOnceLetIn(isRefused);
  useScreenTitle(place);
  const isAgentAlone =
    isRefused && place.screen === "agent" && agent.access.standing.value !== "absent";
  if (isRefused && !isAgentAlone) return <TokenForm />;
  const Screen = SCREEN_PARTS[place.screen];
  return (
    <div class={isAgentAlone ? "frame alone" : "frame"}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      {!isAgentAlone && <Rail />}
      <main id="main" tabIndex={-1} data-screen={place.screen}>
        <Banner />
        <AsOfBanner />
        {place.db !== "" && <AreaViews />}
        {place.db === "" && opensNone && <NoDatabase />}
        {place.isUnknown && <NotFound />}
        {place.db !== "" && !place.isUnknown && (
          <Suspense key={`${place.db} ${place.screen}`} part={Screen} />
        )}
      </main>
      <ToastList />
      <Overlays />
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

/** A token that was typed here or came from another tab: what is shown is followed again. */
function useFollowingOnceLetIn(isRefused: boolean): void {
  const { live } = usePage();
  const wasRefused = useRef(false);
  useEffect(() => {
    if (wasRefused.current && !isRefused) live.again();
    wasRefused.current = isRefused;
  }, [live, isRefused]);
}

/** Without an answer the banner shows it, and the feed tries again. */
function tellIfLost(session: Session, error: unknown): void {
  if (failureOf(error).code === "offline") session.connection.value = "lost";
}
