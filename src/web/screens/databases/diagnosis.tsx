import type { StoreAnswer } from "../../../server/rest/index.ts";
import { usePage } from "../../page.ts";

export type Diagnosed = StoreAnswer<"doctor_database">;

export function Diagnosis({ of: found, onMend }: { readonly of: Diagnosed; onMend(): void }) {
  const { session } = usePage();
  return (
    <div class="diagnosis" role="status">
      <p>
        {found.ok
          ? `All ${found.checks.length} checks passed.`
          : `${found.findings.length} things are wrong.`}
      </p>
      <ul>
        {found.checks.map((check) => (
          <li key={check.name}>
            <span class={check.ok ? "mark held" : "mark danger"}>
              {check.ok ? "well" : "wrong"}
            </span>{" "}
            {check.about}
          </li>
        ))}
      </ul>
      {found.findings.map(({ problem, count }) => (
        <p key={problem} class="notice danger">
          {problem} ({count})
        </p>
      ))}
      {session.canWrite && found.findings.some(({ fixable }) => fixable) && (
        <button type="button" class="button primary" onClick={onMend}>
          Mend what can be mended
        </button>
      )}
    </div>
  );
}
