import { findProgram } from "../../shared/programs.ts";

const EXPLORATION_TOOLS = ["rg", "fd", "ast-grep", "tree"] as const;

export function findExplorationTools(pathVariable: string | undefined): readonly string[] {
  return EXPLORATION_TOOLS.filter((tool) => findProgram(tool, pathVariable) !== undefined);
}
