import { useState } from "preact/hooks";

interface DeleteDatabaseProps {
  readonly name: string;
  readonly isBusy: boolean;
  onDelete(): void;
}

/** The first press asks, the second one moves the database to the bin. */
export function DeleteDatabase({ name, isBusy, onDelete }: DeleteDatabaseProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      class="button danger"
      disabled={isBusy}
      onClick={isAsking ? onDelete : () => setAsking(true)}
    >
      {isAsking ? `Really move ${name} to the bin` : "Delete"}
    </button>
  );
}
