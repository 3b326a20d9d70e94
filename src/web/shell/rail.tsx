import { AREAS, getArea, logOut } from "../actions/action.ts";
import { Button, IconButton } from "../components/controls.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { Link } from "../components/link.tsx";
import { useQuery } from "../data/use-query.ts";
import { useDatabaseNames } from "../data/use-request.ts";
import { usePage } from "../page.ts";
import { getAddress, type ScreenName } from "../routing/location.ts";

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
  const { screen } = router.location.value;
  const open = useQuery("list_conflicts", { status: "open", limit: 1 }, { pause: 3_000 });
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
        <IconButton
          icon="recall"
          label="View memory as of a date"
          aria-pressed={(router.location.value.query.as_of ?? "") !== ""}
          onClick={() => {
            actions.overlay.value = { kind: "as-of" };
          }}
        />
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
                <Badge count={waiting[first.screen]} />
                <Keys keys={first.keys ?? []} />
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
        <IconButton
          icon="help"
          label="Preferences and help"
          onClick={() => {
            actions.overlay.value = { kind: "help" };
          }}
        />
      </div>
    </nav>
  );
}

function Badge({ count }: { readonly count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return (
    <span class="badge" title={`${count} pending`}>
      {count}
    </span>
  );
}

function DatabaseMenu() {
  const { router, session, live } = usePage();
  const { db, screen, query } = router.location.value;
  const names = useDatabaseNames([session.server.value, db, live.revision.value]);
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
  const { screen, query } = router.location.value;
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

const SHOWS_THEN: Readonly<Partial<Record<ScreenName, string>>> = {
  home: "items stored by then",
  find: "items valid then",
  recall: "recall from items valid then",
  feed: "changes made by then",
  map: "items valid then",
  inbox: "opened by then and still open",
  recalls: "recalls made by then; the filters list today's values",
  item: "version valid then; newer entries are marked",
};

/** Banner on every screen while an earlier state is shown, with a link to the current one. */
export function AsOfBanner() {
  const { router } = usePage();
  const { screen, query } = router.location.value;
  const { as_of: day = "" } = query;
  if (day === "") return null;
  const description = SHOWS_THEN[screen];
  return (
    <div class="banner as-of-banner" role="status">
      As of {day}: {description ?? "this screen shows current data"}.
      <Button onClick={() => router.setQuery({ as_of: "" }, "push")}>Back to today</Button>
    </div>
  );
}
