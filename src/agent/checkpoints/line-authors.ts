import type { LineWriters } from "../ports/checkpoint.ts";
import { ProjectCheckpoints } from "./project-checkpoints.ts";

export function findLineAuthors(projectRoot: string, dataDir: string): LineWriters {
  return new ProjectCheckpoints({ root: projectRoot, dataDir });
}
