import type { LineWriters } from "../ports/checkpoint.ts";
import { ProjectCheckpoints } from "./project-checkpoints.ts";

/** For whoever only asks who wrote a line. */
export function writersOfLines(projectRoot: string, dataDir: string): LineWriters {
  return new ProjectCheckpoints({ root: projectRoot, dataDir });
}
