import { existsSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { messageOf } from "../../shared/errors.ts";
import { distrustProgramsIn, programPath } from "../../shared/programs.ts";
import { isThisMachine } from "../tools/is-this-machine.ts";
import { bridgedPorts } from "./bridged-ports.ts";
import { keepKernel } from "./keep-kernel.ts";
import { libraryFolder } from "./library-folder.ts";
import { ProjectGuard } from "./project-guard.ts";
import type {
  SandboxAnswer,
  SandboxNotice,
  SandboxRequest,
  SandboxRules,
  SandboxWork,
} from "./sandbox-messages.ts";
import { endCarriers } from "./socket-carriers.ts";
import { TELLING, TELLING_VARIABLE } from "./tell-what-ends.ts";
import { temporaryFor, withTemporary } from "./temporary-files.ts";
import { workOfCommands } from "./work-of-commands.ts";

const folder = process.cwd();
const rules = JSON.parse(process.argv[2] ?? "{}") as SandboxRules;
const { filesystem, network, project, temporary } = rules;
if (project !== undefined) distrustProgramsIn(project.root);
const shared = process.env.CLAUDE_CODE_TMPDIR ?? "/tmp";
const guard =
  project === undefined
    ? undefined
    : new ProjectGuard(
        project,
        (notice) => tell({ notice }),
        // The program that starts the commands is the one that started this.
        () => workOfCommands(process.ppid),
      );
const onHost = (host: string, isAllowed: boolean) => tell({ host, isAllowed });
// Ctrl-C in a terminal reaches the whole group: the parent decides when this ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
// Before anything is waited for: the parent may be gone by then.
process.on("disconnect", leave);
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
    const kept = (await guard?.before()) ?? [];
    try {
      return await wrap(request, kept);
    } catch (error) {
      // It never runs: no end of it is told.
      await guard?.after();
      throw error;
    }
  }
  SandboxManager.cleanupAfterCommand();
  if (!isGuarded(request)) return "";
  const moved = (await guard?.after()) ?? [];
  if (moved.length === 0) return "";
  return (
    "The sandbox moved aside what git, an editor or another agent would act upon outside of it: " +
    `${moved.join("; ")}. Ask the user to put it there.`
  );
}

function isGuarded({ readOnly, makesNothing }: { readOnly: boolean; makesNothing: boolean }) {
  return !readOnly && !makesNothing;
}

async function wrap(
  request: Extract<SandboxWork, { readonly wrap: string }>,
  kept: readonly string[],
): Promise<string> {
  const [variable, telling] = process.platform === "linux" ? [TELLING_VARIABLE, TELLING] : ["", ""];
  const command = `${bridgedPorts(network.allow)}${request.first}${telling}${request.wrap}`;
  const begun = await SandboxManager.wrapWithSandbox(command, undefined, {
    filesystem: rulesFor(request, kept),
  });
  const wrapped = process.platform === "linux" ? keepKernel(begun) : begun;
  const place = temporary === undefined ? undefined : temporaryFor(request.scope, temporary);
  return `${variable}${place === undefined ? wrapped : withTemporary(wrapped, { shared, place })}`;
}

async function startLibrary(): Promise<void> {
  // Ports of this machine are the library's to open. Other hosts are judged here, to be told of.
  const here = network.allow.filter((entry) => isThisMachine(entry.replace(/:[0-9]+$/, "")));
  await SandboxManager.initialize(
    {
      // Without these the library would take programs by their names, also from the project.
      ...(process.platform === "linux" && {
        bwrapPath: programPath("bwrap"),
        socatPath: programPath("socat"),
      }),
      network: { allowedDomains: here, deniedDomains: [] },
      filesystem: rulesFor({ readOnly: false, credential: "" }, []),
    },
    // A name that leads to this machine is refused by the library once it is resolved.
    async ({ host, port }) => {
      const isAllowed =
        !isThisMachine(host) &&
        (network.isOpen ||
          network.allow.some((pattern) => matchesHost(pattern, host, port ?? HTTPS)));
      onHost(port === undefined ? host : `${host}:${port}`, isAllowed);
      return isAllowed;
    },
  );
}

async function leave(): Promise<void> {
  await SandboxManager.reset().catch(() => undefined);
  endCarriers((name) => name === basename(folder));
  process.chdir("/");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function tell(message: SandboxNotice): void {
  process.send?.(message);
}

function reply(message: SandboxAnswer): void {
  process.send?.(message);
}

/** `example.com`, `*.example.com`, either with a port: what a rule for `network` allows. */
function matchesHost(pattern: string, host: string, port: number): boolean {
  const [name = "", wanted] = pattern.toLowerCase().split(":");
  if (wanted !== undefined && Number(wanted) !== port) return false;
  const asked = host.toLowerCase().replace(/\.$/, "");
  return name.startsWith("*.") ? asked.endsWith(name.slice(1)) : asked === name;
}

const HTTPS = 443;
const LIBRARY_FOLDER = libraryFolder();

/** Written by every command, unless it is hidden. */
const OF_LIBRARY = ["/tmp/claude", "/private/tmp/claude"];

/** `kept`: what stands in the project and is acted upon. */
function rulesFor(
  { readOnly, credential }: { readOnly: boolean; credential: string },
  kept: readonly string[],
) {
  const { allowWrite, denyWrite, denyRead, allowRead } = filesystem;
  const opened = new Set(filesystem.credentials[credential] ?? []);
  const hidden = temporary === undefined ? [] : [shared, ...OF_LIBRARY.filter(existsSync)];
  const reading = {
    denyRead: [...denyRead.filter((path) => !opened.has(path)), ...hidden],
    // Cairn may be installed in what is hidden: in the home folder, or among temporary files. In
    // the other folder are the sockets by which commands reach the library's proxy.
    allowRead: [
      ...[...allowRead, ...opened, LIBRARY_FOLDER],
      ...(temporary === undefined ? [] : [folder]),
    ],
  };
  if (!readOnly) {
    return { ...reading, allowWrite: [...allowWrite], denyWrite: [...denyWrite, ...kept] };
  }
  const open = temporary === undefined ? [shared] : [];
  const roots = [...open, ...allowWrite, ...(project === undefined ? [] : [project.root])];
  return { ...reading, allowWrite: [], denyWrite: [...denyWrite, ...roots] };
}
