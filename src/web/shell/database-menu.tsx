import { useEffect, useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { addressOf } from "../routing/place.ts";

export function DatabaseMenu() {
  const { router, client, session, live } = usePage();
  const { db } = router.place.value;
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
            addressOf({ db: currentTarget.value, screen: "home", id: undefined, query: {} }),
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
