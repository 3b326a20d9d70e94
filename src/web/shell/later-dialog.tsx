import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { failureOf } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

interface Closable {
  onClose(): void;
}

interface LaterDialogProps extends Closable {
  /** The same function each time. */
  readonly load: () => Promise<ComponentType<Closable>>;
}

/** A dialog whose code comes when it is first asked for. */
export function LaterDialog({ load, onClose }: LaterDialogProps) {
  const { toasts } = usePage();
  const [part, setPart] = useState<{ Dialog?: ComponentType<Closable> }>({});
  useEffect(() => {
    load().then(
      (Dialog) => setPart({ Dialog }),
      (error: unknown) => toasts.tellError(failureOf(error).message),
    );
  }, [toasts, load]);
  return part.Dialog === undefined ? null : <part.Dialog onClose={onClose} />;
}
