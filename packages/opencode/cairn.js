// Written by `cairn connect opencode`, which also removes it (--remove).
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LAUNCHER = "// Starts cairn of this very version. Written by scripts/generate-packages.ts.\nimport { spawnSync } from \"node:child_process\";\nimport { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from \"node:fs\";\nimport { homedir } from \"node:os\";\nimport { delimiter, dirname, join, resolve } from \"node:path\";\nimport { pathToFileURL } from \"node:url\";\n\nconst NAME = \"cairn-memory\";\nconst VERSION = \"0.2.0\";\nconst shell = process.platform === \"win32\";\nconst caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), \".cache\");\n/** Where the path of the program stands, once it was found. */\nconst note = join(caches, \"cairn\", `program-${VERSION}`);\n\nfunction noted() {\n  if (!existsSync(note)) return undefined;\n  const program = readFileSync(note, \"utf8\");\n  return existsSync(program) ? program : undefined;\n}\n\nfunction programIn(root) {\n  if (!existsSync(join(root, \"package.json\"))) return undefined;\n  const { name = NAME, version } = JSON.parse(readFileSync(join(root, \"package.json\"), \"utf8\"));\n  return name === NAME && version === VERSION ? join(root, \"bin\", \"cairn.js\") : undefined;\n}\n\n/** A `cairn` on the PATH counts where it is this very package: others have the name too. */\nfunction installed() {\n  for (const folder of (process.env.PATH ?? \"\").split(delimiter)) {\n    const roots = [join(folder, \"node_modules\", NAME)];\n    if (existsSync(join(folder, \"cairn\"))) roots.push(resolve(realpathSync(join(folder, \"cairn\")), \"..\", \"..\"));\n    const program = roots.map(programIn).find(Boolean);\n    if (program !== undefined) return program;\n  }\n  return undefined;\n}\n\n/** npx puts the folder with the package's programs in front of the PATH of what it runs. */\nfunction fetched() {\n  const asked = [\"-y\", \"--package\", `${NAME}@${VERSION}`, \"--\", \"node\", \"-p\", \"process.env.PATH\"];\n  const { stdout } = spawnSync(\"npx\", asked, { encoding: \"utf8\", shell, stdio: [\"ignore\", \"pipe\", \"ignore\"] });\n  for (const folder of (stdout ?? \"\").trim().split(delimiter)) {\n    const program = programIn(resolve(folder, \"..\", NAME));\n    if (program !== undefined) return program;\n  }\n  return undefined;\n}\n\n/** In one step: other hooks may be looking at the same time. */\nfunction keep(program) {\n  mkdirSync(dirname(note), { recursive: true });\n  writeFileSync(`${note}.${process.pid}`, program);\n  renameSync(`${note}.${process.pid}`, note);\n  return program;\n}\n\nfunction locate() {\n  const known = noted();\n  if (known !== undefined) return known;\n  const program = installed() ?? fetched();\n  return program === undefined ? undefined : keep(program);\n}\n\nconst args = process.argv.slice(1);\nconst program = locate();\nif (program === undefined) {\n  const { error, status } = spawnSync(\"npx\", [\"-y\", `${NAME}@${VERSION}`, ...args], { shell, stdio: \"inherit\" });\n  if (error) process.stderr.write(`cairn could not be started by npx: ${error.message}. Install Node.js, or ${NAME}, for everybody who runs this.\\n`);\n  // A client takes other codes for orders of its own.\n  process.exitCode = status === 0 ? 0 : 1;\n} else {\n  process.argv = [process.argv[0], program, ...args];\n  await import(pathToFileURL(program).href);\n}\n";

/** opencode does not run on Node.js. */
function start(event, options) {
  const args = ["--input-type=module", "-e", LAUNCHER, "--", "hook", "opencode", event];
  return spawn("node", args, options);
}

const TIMEOUT_MS = 10_000;
/** By which something is read, changed or run. */
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
  /** Sessions that were shown their start since this program began, or since they were compacted. */
  const begun = new Set();
  /** Sessions of subagents: their work is told in that of their parent. */
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
        // One that goes on has been told already, which the hook knows.
        shown.push(await run("session-start", { ...about, source: "resume" }));
      }
      const prompt = texts.map(({ text }) => text).join("\n");
      shown.push(await run("prompt", { ...about, prompt }));
      const text = shown.filter((each) => each !== "").join("\n\n");
      if (text === "") return;
      output.parts.push({ ...last, id: `${last.id}z`, text, synthetic: true });
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await keep("compact", sessionID).catch(() => {});
      begun.delete(sessionID);
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!TOOLS.test(tool) || typeof output?.output !== "string") return;
      const called = { tool_name: tool, tool_input: args };
      const text = await run("tool", { session_id: sessionID, cwd: directory, ...called });
      if (text !== "") output.output += `\n\n${text}`;
    },
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {};
      if (event.type === "session.created" && info?.parentID) inner.add(info.id);
      if (event.type === "session.idle") await keep("stop", sessionID).catch(() => {});
    },
  };
};
