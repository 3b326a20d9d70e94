import type { StoreAnswer } from "../../../server/rest/index.ts";
import { Age } from "../../components/age.tsx";
import { usePage } from "../../page.ts";

export type BinnedDatabase = StoreAnswer<"list_bin">["databases"][number];

interface DatabaseBinProps {
  readonly of: readonly BinnedDatabase[];
  onRestore(database: BinnedDatabase): void;
}

export function DatabaseBin({ of: databases, onRestore }: DatabaseBinProps) {
  const { session } = usePage();
  return (
    <section>
      <h2>Bin</h2>
      <ul class="lines">
        {databases.map((database) => (
          <li key={database.id}>
            <span class="line-text">{database.name}</span>
            <Age at={database.deleted_at} />
            {session.canWrite && (
              <button
                type="button"
                class="button"
                aria-label={`Restore the database ${database.name}`}
                onClick={() => onRestore(database)}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
