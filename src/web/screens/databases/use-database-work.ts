import { useState } from "preact/hooks";
import { doLongWork, type WorkProgress } from "../../data/long-work.ts";
import { failureOf } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

export interface DatabaseWork {
  readonly isBusy: boolean;
  readonly progress: WorkProgress | undefined;
  run(work: () => Promise<string>): void;
  /** Asks the server for `<path>/<what>`, which tells its progress. */
  long<Result>(what: string, body: unknown): Promise<Result>;
}

export function useDatabaseWork(path: string, onDone: () => void): DatabaseWork {
  const { client, toasts } = usePage();
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const guarded = async (work: () => Promise<string>) => {
    setBusy(true);
    setProgress(undefined);
    try {
      toasts.tell(await work());
      onDone();
    } catch (error) {
      toasts.tellError(failureOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    progress,
    run: (work) => void guarded(work),
    long: (what, body) =>
      doLongWork(client, { path: `${path}/${what}`, body, onProgress: setProgress }),
  };
}
