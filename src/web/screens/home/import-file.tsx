import { Failure } from "../../components/failure.tsx";
import { Link } from "../../components/link.tsx";
import { WorkProgressLine } from "../../components/work-progress.tsx";
import { usePage } from "../../page.ts";
import { DropZone } from "./drop-zone.tsx";
import { ImportPlan } from "./import-plan.tsx";
import { useImport } from "./use-import.ts";

export function ImportFile() {
  const { router } = usePage();
  const state = useImport();
  const { plan, done, progress, isBusy, failure } = state;
  return (
    <section class="import" aria-label="Import">
      <DropZone onFile={(file) => void state.take(file)} />
      {isBusy && <WorkProgressLine of={progress} />}
      {failure !== undefined && <Failure of={failure} />}
      {plan !== undefined && <ImportPlan plan={plan} of={state} />}
      {done !== undefined && (
        <p class="notice" role="status">
          {done.added.toLocaleString("en")} records came in.{" "}
          <Link to={router.href({ screen: "find" })}>See them</Link> or{" "}
          <Link to={router.href({ screen: "feed" })}>the change in the feed</Link>, where it can be
          undone.
        </p>
      )}
    </section>
  );
}
