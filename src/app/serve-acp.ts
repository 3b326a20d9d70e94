import type { Readable, Writable } from "node:stream";
import type { AcpAgent } from "../server/acp/index.ts";
import type { AppOptions } from "./assemble-app.ts";
import { openAgent } from "./open-agent.ts";

export interface ServeAcpOptions extends Omit<AppOptions, "cwd"> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
  readonly signal: AbortSignal;
}

export async function serveAcp(options: ServeAcpOptions): Promise<void> {
  const { stdin, stdout, version, signal, flags = {}, ...rest } = options;
  const [{ serveAcpStdio }, { offeredCommands }] = await Promise.all([
    import("../server/acp/index.ts"),
    import("../agent/index.ts"),
  ]);
  const open = async ({
    cwd,
    mcpServers,
  }: {
    readonly cwd: string;
    readonly mcpServers: Readonly<Record<string, unknown>>;
  }): Promise<AcpAgent> => {
    const input = Object.keys(mcpServers).length === 0 ? flags : { ...flags, mcpServers };
    const defaults = { surface: "terminal" } as const;
    const agent = await openAgent({ ...rest, cwd, flags: input, ...defaults });
    const { paths, trust } = agent.config;
    const trustsCommands = trust === "trusted" && paths.configRoot === paths.projectRoot;
    const commands = await offeredCommands({ ...paths, trustsCommands });
    return { host: agent.host, commands, close: () => agent.close() };
  };
  await serveAcpStdio({ stdin, stdout, version, signal, open });
}
