import { Counter, Gauge, type Registry } from "prom-client";
import type { RecallProcessesState } from "../../memory/index.ts";

/** As much of a store as is measured. */
export interface RecallsSource {
  /** Undefined: there are never any. */
  readonly recallProcesses: { readonly state: RecallProcessesState } | undefined;
}

/** What the processes that answer recalls do; nothing where there are never any. */
export function measureRecallProcesses(
  { recallProcesses }: RecallsSource,
  registers: Registry[],
): void {
  if (recallProcesses === undefined) return;
  new Gauge({
    name: "cairn_recall_processes",
    help: "Processes that answer recalls which wait for each other.",
    registers,
    collect() {
      this.set(recallProcesses.state.ready);
    },
  });
  const counted = (name: string, help: string, count: () => number) =>
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset();
        this.inc(count());
      },
    });
  counted(
    "cairn_recalls_apart_total",
    "Recalls that a process of their own has answered.",
    () => recallProcesses.state.answered,
  );
  counted(
    "cairn_recalls_taken_back_total",
    "Recalls that were given to such a process and answered by the server after all.",
    () => recallProcesses.state.takenBack,
  );
}
