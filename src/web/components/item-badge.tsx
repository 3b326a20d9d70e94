import { Stored } from "./stored.tsx";
export function TypeBadge({ type }: { readonly type: string }) {
  return (
    <span class="type" data-type={type}>
      <Stored text={type === "fact_cluster" ? "cluster" : type} />
    </span>
  );
}

export function Marks({ item }: { readonly item: Marked }) {
  return (
    <>
      {item.open_conflicts !== undefined && item.open_conflicts.length > 0 && (
        <span class="mark warn">disputed</span>
      )}
      {item.status === "superseded" && <span class="mark">superseded</span>}
      {item.deleted_at != null && <span class="mark danger">deleted</span>}
    </>
  );
}

interface Marked {
  readonly open_conflicts?: readonly string[] | undefined;
  readonly status?: string | null | undefined;
  readonly deleted_at?: string | null | undefined;
}
