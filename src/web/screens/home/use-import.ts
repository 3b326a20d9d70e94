import { useState } from "preact/hooks";
import type { StoreAnswer } from "../../../server/rest/index.ts";
import { doLongWork, type WorkProgress } from "../../data/long-work.ts";
import { failureOf, type RequestFailed } from "../../data/request-failed.ts";
import { usePage } from "../../page.ts";

export type ImportReport = StoreAnswer<"import">;

interface Chosen {
  readonly name: string;
  readonly text: string;
}

export function useImport() {
  const { client, router, writer } = usePage();
  const { db } = router.place.value;
  const [chosen, setChosen] = useState<Chosen | undefined>(undefined);
  const [asFacts, setAsFacts] = useState(true);
  const [plan, setPlan] = useState<ImportReport | undefined>(undefined);
  const [done, setDone] = useState<ImportReport | undefined>(undefined);
  const [progress, setProgress] = useState<WorkProgress | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<RequestFailed | undefined>(undefined);

  const run = async (file: Chosen, isDry: boolean, facts: boolean) => {
    setBusy(true);
    setFailure(undefined);
    setProgress(undefined);
    try {
      const body = { text: file.text, file_name: file.name, dry_run: isDry, as_facts: facts };
      const report = await doLongWork<ImportReport>(client, {
        path: `/import?db=${encodeURIComponent(db)}`,
        body,
        onProgress: setProgress,
      });
      if (isDry) return setPlan(report);
      setDone(report);
      setPlan(undefined);
      const told = `Brought in ${report.added.toLocaleString("en")} records from ${file.name}.`;
      writer.noteDone(db, told, report.changes);
    } catch (error) {
      setFailure(failureOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    fileName: chosen?.name,
    asFacts,
    plan,
    done,
    progress,
    isBusy,
    failure,
    async take(file: File | undefined) {
      if (file === undefined) return;
      const next = { name: file.name, text: await file.text() };
      setChosen(next);
      setDone(undefined);
      setPlan(undefined);
      await run(next, true, asFacts);
    },
    chooseFacts(facts: boolean) {
      setAsFacts(facts);
      if (chosen !== undefined) void run(chosen, true, facts);
    },
    bringIn() {
      if (chosen !== undefined) void run(chosen, false, asFacts);
    },
    leave: () => setPlan(undefined),
  };
}

export type ImportState = ReturnType<typeof useImport>;
