import { useEffect, useState } from "preact/hooks";
import { AREAS, getArea, logOut } from "../actions/action.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { Link } from "../components/link.tsx";
import { useQuestion } from "../data/use-question.ts";
import { usePage } from "../page.ts";
import type { ScreenName } from "../routing/location.ts";
import { getAddress } from "../routing/location.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  Home: "home",
  Agent: "agent",
  Inbox: "inbox",
  Memory: "find",
  Activity: "feed",
  Settings: "databases",
};

export function Rail() {
  const page = usePage();
  const { router, session, actions, agent } = page;
  const { screen } = router.place.value;
  const open = useQuestion("list_conflicts", { status: "open", limit: 1 }, { pause: 3_000 });
  const requested = agent.connection.value?.waiting.value ?? 0;
  const conflicts = open.output?.total ?? 0;
  const waiting: Partial<Record<ScreenName, number>> = {
    agent: requested,
    inbox: conflicts + requested,
  };
  const connection = session.connection.value;
  const area = getArea(screen);
  return (
    <nav class="rail" aria-label="Screens">
      <div class="rail-head">
        <DatabaseMenu />
        <button
          type="button"
          class="icon-button"
          aria-label="View memory as of a date"
          aria-pressed={(router.place.value.query.as_of ?? "") !== ""}
          onClick={() => {
            actions.overlay.value = { kind: "as-of" };
          }}
        >
          <Icon name="recall" />
        </button>
      </div>
      <ul>
        {AREAS.map(({ title, views }) => {
          const [first] = views;
          if (first === undefined) return null;
          return (
            <li key={title}>
              <Link
                to={router.href({ screen: first.screen })}
                class="rail-link"
                aria-current={area?.title === title ? "page" : undefined}
              >
                <Icon name={ICONS[title] ?? "more"} />
                <span class="rail-title">{title}</span>
                <Badge of={waiting[first.screen]} />
                <Keys of={first.keys ?? []} />
              </Link>
            </li>
          );
        })}
      </ul>
      <div class="rail-foot">
        <span class="connection" data-state={connection}>
          {connection === "live" ? "Live" : connection === "lost" ? "Offline" : "Connecting"}
        </span>
        {session.isReadOnly && <span class="mark">read-only</span>}
        {session.isLoggedIn && (
          <button type="button" class="log-out" onClick={() => logOut(page)}>
            Log out
          </button>
        )}
        <button
          type="button"
          class="icon-button"
          aria-label="Preferences and help"
          onClick={() => {
            actions.overlay.value = { kind: "help" };
          }}
        >
          <Icon name="help" />
        </button>
      </div>
    </nav>
  );
}

function Badge({ of }: { readonly of: number | undefined }) {
  if (of === undefined || of === 0) return null;
  return (
    <span class="badge" title={`${of} pending`}>
      {of}
    </span>
  );
}

function DatabaseMenu() {
  const { router, client, session, live } = usePage();
  const { db, screen, query } = router.place.value;
  const [names, setNames] = useState<readonly string[]>([]);
  const known = session.server.value;
  const revision = live.revision.value;
  useEffect(() => {
    if (known === undefined) return;
    client
      .answer("list_databases", "/databases")
      .then(({ databases }) => setNames(databases.map(({ name }) => name)))
      .catch(() => undefined);
  }, [client, known, db, revision]);
  const all = db === "" || names.includes(db) ? names : [db, ...names];
  return (
    <label class="database-menu">
      <span class="brand" aria-hidden="true">
        <svg viewBox="0 0 32 32" class="logo">
          <ellipse cx="16" cy="25" rx="12" ry="5" />
          <ellipse cx="16.5" cy="15.5" rx="8.5" ry="4.2" />
          <ellipse cx="15.5" cy="7.5" rx="5" ry="3.4" />
        </svg>
      </span>
      <span class="unseen">Database</span>
      <select
        value={db}
        onChange={({ currentTarget }) =>
          router.go(
            getAddress({
              db: currentTarget.value,
              screen: screen === "item" ? "find" : screen,
              id: undefined,
              query: { as_of: query.as_of ?? "", q: query.q ?? "" },
            }),
          )
        }
      >
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Views of the current area; those of memory share one query. */
export function AreaViews() {
  const { router } = usePage();
  const { screen, query } = router.place.value;
  const area = getArea(screen);
  if (area === undefined || area.views.length < 2 || screen === "item") return null;
  const shared = area.title === "Memory" ? { q: query.q ?? "" } : {};
  return (
    <nav class="tabs views" aria-label={`${area.title} views`}>
      {area.views.map(({ screen: name, title }) => (
        <Link
          key={name}
          to={router.href({ screen: name, query: shared })}
          aria-current={screen === name ? "page" : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
