import type { ModelClient } from "../../llm/index.ts";
import type { PartOfTurn } from "../permission/permission.ts";
import type { BesideOptions, ThreadHost } from "../ports/thread-host.ts";
import type { ThreadHostOptions } from "./host-services.ts";
import { ProjectThreadHost } from "./project-thread-host.ts";

export async function createThreadHost(options: ThreadHostOptions): Promise<ThreadHost> {
  const host = new ProjectThreadHost(options, (beside, within) =>
    createThreadHost(optionsBeside(options, beside, within)),
  );
  await host.start();
  return host;
}

function optionsBeside(
  options: ThreadHostOptions,
  { worktree, aroundModel, settings, isUnattended, surface }: BesideOptions,
  within: PartOfTurn | undefined,
): ThreadHostOptions {
  const { worktree: _own, aroundModel: before = asItIs, ...rest } = options;
  return {
    ...rest,
    ...(worktree !== undefined && { worktree, projectRoot: worktree.tree }),
    settings: { ...options.settings, ...settings },
    surface: surface ?? "terminal",
    ...(within !== undefined && { within, keepsSessions: false }),
    isUnattended: isUnattended ?? options.isUnattended === true,
    aroundModel: (client) => aroundModel?.(before(client)) ?? before(client),
  };
}

const asItIs = (client: ModelClient): ModelClient => client;
