import { existsSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { distrustProgramsIn, findProgram, programPath } from "../../shared/programs.ts";
import { isThisMachine } from "../tools/is-this-machine.ts";
import { libraryFolder } from "./library-folder.ts";
import { measureActivity } from "./measure-activity.ts";
import { ProjectGuard } from "./project-guard.ts";
import type {
  SandboxAnswer,
  SandboxNotice,
  SandboxRequest,
  SandboxRules,
  SandboxWork,
} from "./sandbox-messages.ts";
import { endCarriers } from "./socket-carriers.ts";
import { socketFilter } from "./socket-filter.ts";
import {
  createPortBridges,
  createTemporaryFolder,
  EXPORT_EXIT_SCRIPT,
  keepKernel,
  RUN_EXIT_SCRIPT,
  withTemporaryFolder,
} from "./wrapped-command.ts";

const folder = process.cwd();
const rules = JSON.parse(process.argv[2] ?? "{}") as SandboxRules;
const { filesystem, network, project, temporary } = rules;
if (project !== undefined) distrustProgramsIn(project.root);
const shared = process.env.CLAUDE_CODE_TMPDIR ?? "/tmp";
const filterFile = process.platform === "linux" ? writeFilter() : undefined;
const guard =
  project === undefined
    ? undefined
    : new ProjectGuard(
        project,
        (notice) => sendNotice({ notice }),
        // The parent process starts the commands.
        () => measureActivity(process.ppid),
      );
const onHost = (host: string, isAllowed: boolean) => sendNotice({ host, isAllowed });
// Ctrl-C reaches the whole group; the parent decides when this process ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
// Before the first await: the parent may be gone by then.
process.on("disconnect", leave);
// The library takes a program for missing if `which` needs a second, as on a loaded machine. It
// starts none if the runtime finds programs itself, as Bun does.
Object.assign(globalThis, { Bun: { which: (name: string) => findProgram(name) ?? null } });
const { SandboxManager } = await import("@anthropic-ai/sandbox-runtime");
process.on("message", (message) => void answer(message as SandboxRequest));

async function answer({ id, ...request }: SandboxRequest): Promise<void> {
  try {
    reply({ id, result: await work(request as SandboxWork) });
  } catch (error) {
    reply({ id, error: messageOf(error) });
  }
}

async function work(request: SandboxWork): Promise<string> {
  if ("start" in request) {
    await startLibrary();
    return "";
  }
  if ("wrap" in request) {
    if (!isGuarded(request)) return wrap(request, []);
    const guardedFiles = (await guard?.before()) ?? [];
    try {
      return await wrap(request, guardedFiles);
    } catch (error) {
      // The command never runs, so its end is not reported.
      await guard?.after();
      throw error;
    }
  }
  SandboxManager.cleanupAfterCommand();
  if (!isGuarded(request)) return "";
  const moved = (await guard?.after()) ?? [];
  if (moved.length === 0) return "";
  return (
    "The sandbox moved files away that git, an editor or another agent would run or load outside of it: " +
    `${moved.join("; ")}. Ask the user to move them back.`
  );
}

function isGuarded({ readOnly, makesNothing }: { readOnly: boolean; makesNothing: boolean }) {
  return !readOnly && !makesNothing;
}

async function wrap(
  request: Extract<SandboxWork, { readonly wrap: string }>,
  guardedFiles: readonly string[],
): Promise<string> {
  const [variable, telling] =
    process.platform === "linux" ? [EXPORT_EXIT_SCRIPT, RUN_EXIT_SCRIPT] : ["", ""];
  const command = `${createPortBridges(network.allow)}${request.first}${telling}${request.wrap}`;
  const begun = await SandboxManager.wrapWithSandbox(command, undefined, {
    filesystem: rulesFor(request, guardedFiles),
  });
  const wrapped = process.platform === "linux" ? keepKernel(begun, filterFile) : begun;
  const path =
    temporary === undefined ? undefined : createTemporaryFolder(request.scope, temporary);
  return `${variable}${path === undefined ? wrapped : withTemporaryFolder(wrapped, { shared, path })}`;
}

async function startLibrary(): Promise<void> {
  // The library opens ports of this machine; other hosts are checked and logged here.
  const here = network.allow.filter((entry) => isThisMachine(entry.replace(/:[0-9]+$/, "")));
  await SandboxManager.initialize(
    {
      // Otherwise the library would start programs by name, also from the project.
      ...(process.platform === "linux" && {
        bwrapPath: programPath("bwrap"),
        socatPath: programPath("socat"),
      }),
      network: { allowedDomains: here, deniedDomains: [] },
      filesystem: rulesFor({ readOnly: false, credential: "" }, []),
    },
    // The library refuses names that resolve to this machine.
    async ({ host, port }) => {
      const isAllowed =
        !isThisMachine(host) &&
        (network.isOpen ||
          network.allow.some((pattern) => matchesHost(pattern, host, port ?? HTTPS_PORT)));
      onHost(port === undefined ? host : `${host}:${port}`, isAllowed);
      return isAllowed;
    },
  );
}

function writeFilter(): string | undefined {
  const program = socketFilter();
  if (program === undefined) return undefined;
  const file = join(folder, "sockets.bpf");
  writeFileSync(file, program, { mode: 0o600 });
  return file;
}

async function leave(): Promise<void> {
  await SandboxManager.reset().catch(() => undefined);
  endCarriers((name) => name === basename(folder));
  process.chdir("/");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function sendNotice(message: SandboxNotice): void {
  process.send?.(message);
}

function reply(message: SandboxAnswer): void {
  process.send?.(message);
}

function matchesHost(pattern: string, host: string, port: number): boolean {
  const [name = "", allowedPort] = pattern.toLowerCase().split(":");
  if (allowedPort !== undefined && Number(allowedPort) !== port) return false;
  const requestedHost = host.toLowerCase().replace(/\.$/, "");
  return name.startsWith("*.") ? requestedHost.endsWith(name.slice(1)) : requestedHost === name;
}

const HTTPS_PORT = 443;
const LIBRARY_FOLDER = libraryFolder();

/** Writable by default, so they are hidden. */
const LIBRARY_TEMP_FOLDERS = ["/tmp/claude", "/private/tmp/claude"];

/** `guardedFiles`: existing files of the project that other programs run or load. */
function rulesFor(
  { readOnly, credential }: { readOnly: boolean; credential: string },
  guardedFiles: readonly string[],
) {
  const { allowWrite, denyWrite, denyRead, allowRead } = filesystem;
  const opened = new Set(filesystem.credentials[credential] ?? []);
  const hidden =
    temporary === undefined ? [] : [shared, ...LIBRARY_TEMP_FOLDERS.filter(existsSync)];
  const reading = {
    denyRead: [...denyRead.filter((path) => !opened.has(path)), ...hidden],
    // cairn may be installed in a hidden folder; the other one has the proxy's sockets.
    allowRead: [
      ...[...allowRead, ...opened, LIBRARY_FOLDER],
      ...(temporary === undefined ? [] : [folder]),
    ],
  };
  if (!readOnly) {
    return { ...reading, allowWrite: [...allowWrite], denyWrite: [...denyWrite, ...guardedFiles] };
  }
  const open = temporary === undefined ? [shared] : [];
  const roots = [...open, ...allowWrite, ...(project === undefined ? [] : [project.root])];
  return { ...reading, allowWrite: [], denyWrite: [...denyWrite, ...roots] };
}
