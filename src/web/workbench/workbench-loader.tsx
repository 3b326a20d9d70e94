import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { getFailure } from "../data/request-failed.ts";
import { usePage } from "../page.ts";

interface WorkbenchProps {
  readonly name: string;
  readonly ids: readonly string[];
  onClose(): void;
}

export function WorkbenchLoader(props: WorkbenchProps) {
  const { toasts } = usePage();
  const [part, setPart] = useState<{ Dialog?: ComponentType<WorkbenchProps> }>({});
  useEffect(() => {
    import("./workbench-dialog.tsx").then(
      ({ WorkbenchDialog }) => setPart({ Dialog: WorkbenchDialog }),
      (error: unknown) => toasts.tellError(getFailure(error).message),
    );
  }, [toasts]);
  return part.Dialog === undefined ? null : <part.Dialog {...props} />;
}
