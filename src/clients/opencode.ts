import { existsSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "../shared/json.ts";
import type { Client, ClientLocations } from "./client.ts";
import { HOOK_EVENTS, type HookEvent, memoryCommands } from "./client.ts";
import { textMap, texts } from "./server-entry.ts";

export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  programs: ["opencode"],
  traces: (locations) => [folder(locations)],
  scopes: ["user", "project"],
  server: {
    format: "json",
    files: (locations, scope) => [file(scope === "user" ? folder(locations) : locations.project)],
    path: ["mcp"],
    entry: ({ command, args, env }) => ({
      type: "local",
      command: [command, ...args],
      enabled: true,
      ...(Object.keys(env).length > 0 && { environment: { ...env } }),
    }),
    read(entry) {
      if (!isPlainObject(entry)) return undefined;
      const [command, ...args] = texts(entry.command);
      return command === undefined ? undefined : { command, args, env: textMap(entry.environment) };
    },
    initial: { $schema: "https://opencode.ai/config.json" },
  },
  hooks: {
    file: (locations, scope) =>
      join(
        scope === "user" ? folder(locations) : join(locations.project, ".opencode"),
        "plugins",
        "cairn.js",
      ),
    script: (getLine) => opencodePlugin(startByLine(getLine)),
    answer: (_event, context) => context,
  },
  files: (locations, scope) =>
    memoryCommands(
      join(scope === "user" ? folder(locations) : join(locations.project, ".opencode"), "command"),
      "$ARGUMENTS",
    ),
  afterwards: "Start a new session.",
};

/** Follows XDG on every platform. */
function folder({ env, home }: ClientLocations): string {
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
}

function file(parent: string): string {
  const withComments = join(parent, "opencode.jsonc");
  return existsSync(withComments) ? withComments : join(parent, "opencode.json");
}

/** Generates a function `start` that runs an event's command line in a shell. */
export function startByLine(getLine: (event: HookEvent) => string): string {
  const lines = Object.fromEntries(HOOK_EVENTS.map((event) => [event, getLine(event)]));
  return `const LINES = ${JSON.stringify(lines, null, 2)};

function start(event, options) {
  return spawn(LINES[event], { ...options, shell: true });
}`;
}

/**
 * opencode plugin that runs `cairn hook` at each event, using the function `start` in `starting`.
 * Memory context becomes a separate part of the user message. Captures the session's messages from
 * a temporary file, since opencode stores them in its database.
 */
export function opencodePlugin(starting: string): string {
  return `// Written by \`cairn connect opencode\`, which also removes it (--remove).
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

${starting}

const TIMEOUT_MS = 10_000;
/** Tools that read, change or run something. */
const TOOLS = /^(?:read|edit|multiedit|write|patch|apply_patch|bash)$/;

/** Output of the hook; empty if it fails, since the session must continue. */
function run(event, input) {
  return new Promise((resolve) => {
    const child = start(event, { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    let printed = "";
    const timer = setTimeout(() => child.kill(), TIMEOUT_MS);
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    child.stdin.on("error", () => {});
    child.once("error", () => resolve(""));
    child.once("close", () => {
      clearTimeout(timer);
      resolve(printed.trim());
    });
    child.stdin.end(JSON.stringify(input));
  });
}

export const CairnMemory = async ({ client, directory }) => {
  /** Sessions that received the session-start text since this program started, or since they were compacted. */
  const begun = new Set();
  /** Sessions of subagents. Their work is recorded with the parent session. */
  const inner = new Set();

  async function keep(event, session) {
    if (inner.has(session)) return;
    const folder = await mkdtemp(join(tmpdir(), "cairn-opencode-"));
    try {
      const { data } = await client.session.messages({ path: { id: session } });
      const transcript = join(folder, "messages.json");
      await writeFile(transcript, JSON.stringify({ messages: data ?? [] }), { mode: 0o600 });
      await run(event, { session_id: session, cwd: directory, transcript_path: transcript });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    "chat.message": async (given, output) => {
      const session = output.message.sessionID ?? given.sessionID;
      if (inner.has(session)) return;
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const last = texts.at(-1);
      if (last === undefined) return;
      const about = { session_id: session, cwd: directory };
      const shown = [];
      if (!begun.has(session)) {
        begun.add(session);
        // A resumed session may have received it before; the hook checks that.
        shown.push(await run("session-start", { ...about, source: "resume" }));
      }
      const prompt = texts.map(({ text }) => text).join("\\n");
      shown.push(await run("prompt", { ...about, prompt }));
      const text = shown.filter((each) => each !== "").join("\\n\\n");
      if (text === "") return;
      output.parts.push({ ...last, id: \`\${last.id}z\`, text, synthetic: true });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await keep("compact", sessionID).catch(() => {});
      begun.delete(sessionID);
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!TOOLS.test(tool) || typeof output?.output !== "string") return;
      const called = { tool_name: tool, tool_input: args };
      const text = await run("tool", { session_id: sessionID, cwd: directory, ...called });
      if (text !== "") output.output += \`\\n\\n\${text}\`;
    },
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {};
      if (event.type === "session.created" && info?.parentID) inner.add(info.id);
      if (event.type === "session.idle") await keep("stop", sessionID).catch(() => {});
    },
  };
};
`;
}
