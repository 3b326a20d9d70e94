import type { ImportReport, ImportState } from "./use-import.ts";

const SHOWN_LINES = 200;
const SHOWN_SKIPS = 5;

export function ImportPlan({
  plan,
  of,
}: {
  readonly plan: ImportReport;
  readonly of: ImportState;
}) {
  return (
    <div class="plan" role="status">
      <h2>
        {of.fileName} is a file of {plan.source}
      </h2>
      <p>
        {plan.added.toLocaleString("en")} records would come in
        {plan.changed > 0 && `, ${plan.changed} would change`}
        {plan.known > 0 && `, ${plan.known} are known already`}
        {plan.skipped > 0 && `, ${plan.skipped} cannot be read`}. Nothing is written yet.
      </p>
      {plan.skips.slice(0, SHOWN_SKIPS).map(({ where, reason }) => (
        <p key={where} class="quiet">
          {where}: {reason}
        </p>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={of.asFacts}
          onChange={({ currentTarget }) => of.chooseFacts(currentTarget.checked)}
        />
        Statements about entities become facts, which can contradict each other
      </label>
      {plan.changeset !== undefined && (
        <details>
          <summary>The changeset</summary>
          <pre class="json">{firstLines(plan.changeset)}</pre>
        </details>
      )}
      <div class="item-actions">
        <button type="button" class="button primary" disabled={of.isBusy} onClick={of.bringIn}>
          Bring in {plan.added.toLocaleString("en")} records
        </button>
        <button type="button" class="button" onClick={of.leave}>
          Leave it
        </button>
      </div>
    </div>
  );
}

function firstLines(changeset: string): string {
  const lines = changeset.split("\n");
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), `… ${more} more lines`].join("\n") : changeset;
}
