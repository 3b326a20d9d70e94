import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Age } from "../../components/age.tsx";
import { Link } from "../../components/link.tsx";
import { getAddress } from "../../routing/location.ts";
import { DatabaseActions } from "./database-actions.tsx";

type StoredDatabase = StoreAnswer<"list_databases">["databases"][number];

interface DatabaseRowProps {
  readonly of: StoredDatabase;
  readonly isOpen: boolean;
  onToggle(): void;
  /** Called after a change, to reload the list. */
  onDone(): void;
}

export function DatabaseRow({ of: database, isOpen, onToggle, onDone }: DatabaseRowProps) {
  const { name, size, modified_at: at, is_default: isDefault, counts } = database;
  return (
    <li>
      <p class="database-line">
        <Link to={getAddress({ db: name, screen: "home", id: undefined, query: {} })}>
          <b>{name}</b>
        </Link>
        {isDefault && <span class="mark">default</span>}
        {counts !== null && counts.open_conflicts > 0 && (
          <span class="mark warn">
            {counts.open_conflicts} {counts.open_conflicts === 1 ? "conflict" : "conflicts"}
          </span>
        )}
        <span class="quiet database-counts">{getCounts(counts)}</span>
        <span class="quiet">{getSize(size)}</span>
        <Age at={at} />
        <button type="button" class="button" aria-expanded={isOpen} onClick={onToggle}>
          Actions
        </button>
      </p>
      {isOpen && <DatabaseActions name={name} onDone={onDone} />}
    </li>
  );
}

function getCounts(counts: StoredDatabase["counts"]): string {
  if (counts === null) return "cannot be read";
  const { episodes, facts, concepts } = counts;
  const count = (amount: number, noun: string) =>
    `${amount.toLocaleString("en")} ${noun}${amount === 1 ? "" : "s"}`;
  return [count(episodes, "episode"), count(facts, "fact"), count(concepts, "concept")].join(", ");
}

function getSize(bytes: number): string {
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
