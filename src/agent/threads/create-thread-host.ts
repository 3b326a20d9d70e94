import type { ModelClient } from "../../llm/index.ts";
import type { DelegatedTurn } from "../permission/permission.ts";
import type { ParallelThreadOptions, ThreadHost } from "../ports/thread-host.ts";
import type { ThreadHostOptions } from "./host-services.ts";
import { ProjectThreadHost } from "./project-thread-host.ts";

export async function createThreadHost(options: ThreadHostOptions): Promise<ThreadHost> {
  const host = new ProjectThreadHost(options, (parallel, within) =>
    createThreadHost(parallelOptions(options, parallel, within)),
  );
  await host.start();
  return host;
}

function parallelOptions(
  options: ThreadHostOptions,
  { worktree, aroundModel, settings, isUnattended, surface }: ParallelThreadOptions,
  within: DelegatedTurn | undefined,
): ThreadHostOptions {
  const { worktree: _own, aroundModel: before = withoutWrapper, ...rest } = options;
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

const withoutWrapper = (client: ModelClient): ModelClient => client;
