import type { AgentSettings } from "../settings.ts";
import type { Tool } from "./define-tool.ts";

export interface ToolChoice {
  readonly settings: Pick<AgentSettings, "tools">;
  readonly only?: readonly string[] | undefined;
}

export function chooseTools(all: readonly Tool[], choice: ToolChoice): readonly Tool[] {
  const { settings, only } = choice;
  return all.filter(
    ({ name }) =>
      (settings.tools === undefined || settings.tools.includes(name)) &&
      (only === undefined || only.includes(name)),
  );
}
