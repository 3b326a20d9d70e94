import { join } from "node:path";

/** Where the sessions of clients lie. */
export interface SessionPlaces {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute folder of the project. */
  readonly project: string;
}

export interface SessionFolder {
  readonly folder: string;
  readonly endings: readonly string[];
  /** Only sessions of the project lie there; else each says itself where it worked. */
  readonly isOfProject: boolean;
  /** A session is a folder of files, of which this one has the transcript; the folder names it. */
  readonly file?: string;
}

/** Clients whose sessions are files that can be read, by the name that `connect` gives them. */
export const SESSION_FOLDERS: Readonly<Record<string, (places: SessionPlaces) => SessionFolder>> = {
  "claude-code": ({ env, home, project }) => ({
    folder: join(
      env.CLAUDE_CONFIG_DIR || join(home, ".claude"),
      "projects",
      project.replaceAll(/[^A-Za-z0-9]/g, "-"),
    ),
    endings: [".jsonl"],
    isOfProject: true,
  }),
  codex: ({ env, home }) => ({
    folder: join(env.CODEX_HOME || join(home, ".codex"), "sessions"),
    endings: [".jsonl"],
    isOfProject: false,
  }),
  gemini: ({ home }) => ({
    folder: join(home, ".gemini", "tmp"),
    endings: [".json", ".jsonl"],
    isOfProject: false,
  }),
  qwen: ({ home, project }) => ({
    folder: join(home, ".qwen", "projects", project.replaceAll(/[^A-Za-z0-9]/g, "-")),
    endings: [".jsonl", ".json"],
    isOfProject: true,
  }),
  // Cline 3 in VS Code keeps a folder for each task.
  cline: ({ env, home }) => ({
    folder: join(codeFolder(env, home), "User", "globalStorage", "saoudrizwan.claude-dev", "tasks"),
    endings: ["api_conversation_history.json"],
    isOfProject: false,
    file: "api_conversation_history.json",
  }),
  copilot: ({ home }) => ({
    folder: join(home, ".copilot", "session-state"),
    endings: [".jsonl"],
    isOfProject: false,
  }),
};

/** Where VS Code keeps what is the user's. */
function codeFolder(env: SessionPlaces["env"], home: string): string {
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "Code");
  if (process.platform === "win32") return join(env.APPDATA ?? home, "Code");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "Code");
}
