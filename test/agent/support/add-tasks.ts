import { addTasks } from "../../../src/agent/tasks/task-store.ts";
import { systemClock } from "../../../src/shared/clock.ts";

/** Child process: adds tasks one at a time while other processes do the same. */
const [projectRoot = "", label, count] = process.argv.slice(2);
for (let index = 0; index < Number(count); index += 1) {
  const draft = {
    name: `${label} ${index}`,
    description: "",
    relatedFiles: [],
    acceptanceCriteria: [],
  };
  await addTasks({ projectRoot, planId: 0, drafts: [draft], clock: systemClock });
}
