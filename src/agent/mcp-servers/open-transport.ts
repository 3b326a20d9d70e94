import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { invalidInput } from "../../shared/errors.ts";
import { programPath, trustedPath } from "../../shared/programs.ts";
import { quoteForShell } from "../../shared/text.ts";
import type { CommandWrapper } from "../processes/command-limits.ts";
import { PROCESS_TREE_MARKER } from "../processes/process-scan.ts";
import { killLeftovers } from "../processes/process-table.ts";
import { boundedFetch, TOO_LARGE_MESSAGE } from "./bounded-fetch.ts";
import { LoginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import type {
  HttpServerSettings,
  McpServerSettings,
  OAuthSettings,
  StdioServerSettings,
} from "./server-settings.ts";

/** `${NAME}` or `${NAME:-default}`. */
const VARIABLE_PATTERN = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** Replaces variables in a text. Throws invalid_input if one is not set. */
export function expandVariables(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(VARIABLE_PATTERN, (_whole, name: string, fallback: string | undefined) => {
    const value = environment[name] ?? fallback;
    if (value === undefined) {
      throw invalidInput(`The variable ${name} is not set. Set it, or write \${${name}:-default}.`);
    }
    return value;
  });
}

function expandAll(
  texts: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandVariables(text, environment)]),
  );
}

/** Variables that programs need to run; a server gets all others by its `env`. */
const INHERITED_VARIABLES =
  /^(PATH|PATHEXT|HOME|USER|USERNAME|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USERPROFILE|XDG_[A-Z]+_(DIR|HOME)|DISPLAY|WAYLAND_DISPLAY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY)$/i;

export function serverEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => INHERITED_VARIABLES.test(name)),
  );
}

const MAX_ERROR_CHARACTERS = 2_000;

export interface TransportContext {
  readonly projectRoot: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly wrapCommand: CommandWrapper;
  readonly logins: LoginStore;
}

export interface OpenTransport {
  readonly transport: Transport;
  errors(): string;
  /** Ends the processes that the server started. Call it after closing the transport. */
  cleanUp(): Promise<void>;
}

export function isStdio(settings: McpServerSettings): settings is StdioServerSettings {
  return "command" in settings;
}

export function isConfined(settings: McpServerSettings): boolean {
  return isStdio(settings) && (settings.sandbox ?? settings.origin === "project");
}

/** Prepares the transport to a server without starting it. Throws invalid_input. */
export function openTransport(
  settings: McpServerSettings,
  location: TransportContext,
): Promise<OpenTransport> {
  return isStdio(settings) ? openStdio(settings, location) : openHttp(settings, location);
}

async function openStdio(
  settings: StdioServerSettings,
  { projectRoot, environment, variables, wrapCommand }: TransportContext,
): Promise<OpenTransport> {
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const words = [settings.command, ...settings.args].map((word) =>
    expandVariables(word, variables),
  );
  // The mark finds every process that the server started, even outside its process tree.
  const marker = `mcp-${randomUUID()}.`;
  const env: Record<string, string> = {
    ...serverEnvironment(environment),
    ...expandAll(settings.env, variables),
    [PROCESS_TREE_MARKER]: marker,
  };
  const wrapped = isConfined(settings)
    ? await wrapCommand(words.map(quoteForShell).join(" "), { network: true })
    : undefined;
  const [command = "", ...args] =
    wrapped === undefined ? words : [programPath("sh"), "-c", wrapped.command];
  const transport = new StdioClientTransport({
    command: programPath(command, env.PATH),
    args,
    env: wrapped === undefined ? { ...env, PATH: trustedPath(env.PATH) } : env,
    cwd: projectRoot,
    stderr: "pipe",
  });
  let errors = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-MAX_ERROR_CHARACTERS);
  });
  return {
    transport,
    errors: () => errors,
    async cleanUp() {
      await killLeftovers(marker);
      await wrapped?.finished?.();
    },
  };
}

async function openHttp(
  settings: HttpServerSettings,
  location: TransportContext,
): Promise<OpenTransport> {
  const { type, headers } = settings;
  const address = resolveServerUrl(settings, location);
  const authProvider = loadEarlierLogin(settings, location);
  const requestInit = { headers: expandAll(headers, location.variables) };
  const tooLarge: { act: () => void } = { act: () => undefined };
  const bounded = boundedFetch(() => tooLarge.act());
  const options = {
    requestInit,
    fetch: authProvider?.renewingFetch(bounded) ?? bounded,
    ...(authProvider !== undefined && { authProvider }),
  };
  const rest = { errors: () => "", cleanUp: async () => undefined };
  if (type === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    const transport = new SSEClientTransport(address, options);
    tooLarge.act = () => abortConnect(transport);
    return { transport, ...rest };
  }
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const transport = new StreamableHTTPClientTransport(address, options);
  tooLarge.act = () => abortConnect(transport);
  // The class declares its session id as possibly undefined, the interface as optional.
  return { transport: transport as Transport, ...rest };
}

/** Ends the connection: waiting calls fail, and the next call opens a new one. */
function abortConnect(transport: Pick<Transport, "close" | "onerror">): void {
  transport.onerror?.(new Error(TOO_LARGE_MESSAGE));
  void transport.close();
}

/** Returns the URL with its variables replaced. Throws invalid_input. */
export function resolveServerUrl(
  { url }: HttpServerSettings,
  { variables }: TransportContext,
): URL {
  return new URL(expandVariables(url, variables));
}

export function expandOAuth(
  { oauth = {} }: HttpServerSettings,
  location: TransportContext,
): OAuthSettings {
  const { clientSecret } = oauth;
  if (clientSecret === undefined) return oauth;
  return { ...oauth, clientSecret: expandVariables(clientSecret, location.variables) };
}

function loadEarlierLogin(
  settings: HttpServerSettings,
  location: TransportContext,
): LoginProvider | undefined {
  const { href } = resolveServerUrl(settings, location);
  const login = location.logins.get(href);
  if (login?.tokens === undefined) return undefined;
  return new LoginProvider({
    store: location.logins,
    address: href,
    oauth: expandOAuth(settings, location),
    redirectUrl: login.redirectUrl ?? "",
    redirect: () => {
      throw new Error("the login has expired");
    },
  });
}
