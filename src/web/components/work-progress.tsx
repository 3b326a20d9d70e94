import type { WorkProgress } from "../data/long-work.ts";

export function WorkProgressLine({ of }: { readonly of: WorkProgress | undefined }) {
  return (
    <p class="progress" role="status">
      {of === undefined || of.total === 0 ? (
        <progress aria-label="In progress" />
      ) : (
        <progress max={of.total} value={of.done} aria-label={of.stage} />
      )}
      <span class="quiet">
        {of === undefined
          ? "In progress"
          : `${of.stage} ${of.done.toLocaleString("en")} of ${of.total.toLocaleString("en")}`}
      </span>
    </p>
  );
}
