import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { ProcessTable } from "../../../src/agent/processes/process-table.ts";
import type { Tool, ToolResult } from "../../../src/agent/tools/define-tool.ts";
import { readInput } from "../../../src/agent/tools/define-tool.ts";
import { ProjectPaths } from "../../../src/agent/tools/project-paths.ts";

export interface ToolBench {
  readonly root: string;
  readonly paths: ProjectPaths;
  readonly processes: ProcessTable;
  /** Runs a tool as the loop does, with its input validated by the schema. */
  run(tool: Tool, input: unknown, signal?: AbortSignal): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Creates a project folder and the context that tools require. */
export async function openToolBench(
  options: { readonly allowOutsideProject?: boolean } = {},
): Promise<ToolBench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-tools-")));
  const root = join(folder, "project");
  await mkdir(root);
  const paths = new ProjectPaths({
    projectRoot: root,
    userConfigDir: join(folder, "config"),
    dataDir: join(folder, "data"),
    allowOutsideProject: options.allowOutsideProject ?? false,
  });
  const processes = new ProcessTable({
    name: `test${process.pid}x${Math.random().toString(36).slice(2)}`,
    cwd: root,
    environment: { PATH: process.env.PATH ?? "" },
    wrap: unwrapped,
    guard: new ExitGuard(),
  });
  return {
    root,
    paths,
    processes,
    run: async (tool, input, signal = new AbortController().signal) => {
      const read = readInput(tool, input);
      if (!read.success) throw read.error;
      return tool.run({ callId: "c", signal, paths, processes }, read.data);
    },
    close: async () => {
      await processes.killAll();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
