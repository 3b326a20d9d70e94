import { isAbsolute } from "node:path";
import { Readable, Writable } from "node:stream";
import {
  type AgentApp,
  agent,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk/unstable";
import { AcpSessions, type OpenAcpAgent, toRequestError } from "./acp-sessions.ts";

export interface AcpStdioOptions extends AcpOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

export async function serveAcpStdio({
  stdin,
  stdout,
  signal,
  ...options
}: AcpStdioOptions): Promise<void> {
  const { app, close } = createAcpApp(options);
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(stdout),
      // Node's stream type is compatible with the global one.
      Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
    ),
  );
  const stop = () => connection.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await connection.closed;
  } finally {
    signal.removeEventListener("abort", stop);
    await close();
  }
}

interface AcpOptions {
  readonly open: OpenAcpAgent;
  readonly version: string;
}

export function createAcpApp({ open, version }: AcpOptions): {
  readonly app: AgentApp;
  close(): Promise<void>;
} {
  let connected: AcpSessions | undefined;
  const sessions = () => {
    if (connected === undefined) throw RequestError.internalError(undefined, "not connected");
    return connected;
  };
  const app = agent({ name: "cairn" })
    .onConnect(({ client }) => {
      connected = new AcpSessions(open, client);
    })
    .onRequest("initialize", () => describeCapabilities(version))
    .onRequest("session/new", ({ params: { cwd, mcpServers } }) =>
      convertErrors(async () => {
        const answer = await sessions().create(requireAbsolute(cwd), mcpServers);
        setImmediate(() => void sessions().announceCommands(answer.sessionId));
        return answer;
      }),
    )
    .onRequest("session/load", ({ params: { sessionId, cwd, mcpServers } }) =>
      convertErrors(async () => {
        const answer = await sessions().load(sessionId, requireAbsolute(cwd), mcpServers);
        setImmediate(() => void sessions().announceCommands(sessionId));
        return answer;
      }),
    )
    .onRequest("session/list", ({ params: { cwd } }) =>
      convertErrors(async () => ({
        sessions: await sessions().list(requireAbsolute(cwd ?? process.cwd())),
      })),
    )
    .onRequest("session/resume", ({ params: { sessionId, cwd, mcpServers } }) =>
      convertErrors(async () => {
        const answer = await sessions().resume(sessionId, requireAbsolute(cwd), mcpServers ?? []);
        setImmediate(() => void sessions().announceCommands(sessionId));
        return answer;
      }),
    )
    .onRequest("session/fork", ({ params: { sessionId, cwd, mcpServers } }) =>
      convertErrors(async () => {
        const answer = await sessions().fork(sessionId, requireAbsolute(cwd), mcpServers ?? []);
        setImmediate(() => void sessions().announceCommands(answer.sessionId));
        return answer;
      }),
    )
    .onRequest("session/close", ({ params: { sessionId } }) =>
      convertErrors(async () => {
        await sessions().leave(sessionId);
        return {};
      }),
    )
    .onRequest("session/set_config_option", ({ params: { sessionId, configId, value } }) =>
      convertErrors(() => sessions().setOption(sessionId, configId, value)),
    )
    .onRequest("session/set_mode", ({ params: { sessionId, modeId } }) =>
      convertErrors(async () => {
        await sessions().setMode(sessionId, modeId);
        return {};
      }),
    )
    .onRequest("session/prompt", ({ params }) =>
      convertErrors(async () => ({ stopReason: await sessions().prompt(params) })),
    )
    .onNotification("session/cancel", ({ params: { sessionId } }) => sessions().cancel(sessionId));
  return { app, close: async () => connected?.close() };
}

function describeCapabilities(version: string) {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: "cairn", title: "cairn", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { embeddedContext: true, image: true },
      mcpCapabilities: { http: true, sse: true },
      // `fork` is not part of the stable protocol yet.
      sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {} },
    },
    authMethods: [],
  };
}

async function convertErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw toRequestError(error);
  }
}

function requireAbsolute(cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  throw RequestError.invalidParams(undefined, `cwd: "${cwd}" is not an absolute path.`);
}
