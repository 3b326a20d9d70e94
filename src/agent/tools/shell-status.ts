import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { stripControl } from "../../shared/text.ts";
import type { ManagedProcess } from "../processes/managed-process.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import { defineTool, type ToolResult } from "./define-tool.ts";
import { describeState } from "./describe-process.ts";

const DEFAULT_TAIL = 40;

export const shellStatusTool = defineTool({
  name: "shell_status",
  description:
    "Manages background commands: `list` all; for one `id` `status`, `output` (start and end), " +
    "`tail` (`lines`, default 40) or `kill` with its children.",
  readOnly: false,
  touches: "nothing",
  input: z.strictObject({
    action: z.enum(["list", "status", "output", "tail", "kill"]),
    id: z.string().optional().describe("Needed for everything but list."),
    lines: z.number().int().min(1).max(2000).optional(),
  }),
  uses: () => [],
  async run({ processes }, { action, id, lines = DEFAULT_TAIL }) {
    if (action === "list") return listAll(processes);
    if (id === undefined) throw invalidInput(`id: ${action} needs the id of a process.`);
    const process = processes.get(id);
    if (action === "kill") await process.kill();
    const output = stripControl(process.output.text()).trimEnd();
    const text = {
      status: "",
      kill: "",
      output,
      tail: output.split("\n").slice(-lines).join("\n"),
    }[action];
    const head = describeProcess(process);
    return { text: text === "" ? head : `${text}\n${head}`, summary: head };
  },
});

function listAll(processes: ProcessTable): ToolResult {
  const all = processes.list();
  if (all.length === 0) return { text: "No command was started." };
  return { text: all.map(describeProcess).join("\n"), summary: `${all.length} commands` };
}

function describeProcess(process: ManagedProcess): string {
  const bytes = process.output.totalBytes;
  return `${process.id}: ${describeState(process)}, ${bytes} bytes of output: ${process.command}`;
}
