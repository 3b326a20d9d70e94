import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { OtherDatabase } from "../../../database/index.ts";
import { invalidInput } from "../../../shared/errors.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { tryReadRegularFile } from "../../../shared/regular-file.ts";
import { type CursorKnown, cursorDatabase, uriToPath } from "./stored/cursor.ts";
import { opencodeDatabase, opencodeFiles } from "./stored/opencode.ts";
import type { ReadStored } from "./stored/stored-session.ts";
import { parseObject, type StoredSession, textOrDefault } from "./stored/stored-session.ts";

export interface SessionLocations {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: string;
}

export interface SessionFolder {
  readonly folder: string;
  readonly endings: readonly string[];
  /** True if it contains only sessions of this project; otherwise each session names its folder. */
  readonly isOfProject: boolean;
  /** Transcript file name, if each session is a folder. */
  readonly file?: string;
  /** Files are directly in the folder. */
  readonly isFlat?: true;
  /** Reader for other storage, such as a database of many sessions. */
  readonly stored?: ReadStored;
}

type FindFolders = (locations: SessionLocations) => readonly SessionFolder[];

const CLINE_FILE = "api_conversation_history.json";

/** Session folders by the client's name in `connect`. */
export const SESSION_FOLDERS: Readonly<Record<string, FindFolders>> = {
  "claude-code": ({ env, home, project }) => [
    {
      folder: join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "projects", toDashed(project)),
      endings: [".jsonl"],
      isOfProject: true,
    },
  ],
  codex: ({ env, home }) =>
    ["sessions", "archived_sessions"].map((name) => ({
      folder: join(env.CODEX_HOME || join(home, ".codex"), name),
      endings: [".jsonl", ".jsonl.zst"],
      isOfProject: false,
    })),
  gemini: findGeminiFolders,
  qwen: ({ home, project }) => [
    {
      folder: join(home, ".qwen", "projects", toDashed(project)),
      endings: [".jsonl", ".json"],
      isOfProject: true,
    },
  ],
  opencode({ env, home }) {
    const data = join(dataFolder(env, home), "opencode");
    const files = { endings: [".json"], isOfProject: false, stored: opencodeFiles };
    return [
      {
        ...{ folder: data, endings: [".db"], isOfProject: false, isFlat: true },
        stored: opencodeDatabase,
      },
      // opencode has imported its older storage into its database.
      ...(existsSync(join(data, "opencode.db"))
        ? []
        : [{ folder: join(data, "storage", "session"), ...files }]),
    ];
  },
  cline: ({ env, home }) =>
    [
      join(env.CLINE_DIR || join(home, ".cline"), "data", "tasks"),
      join(
        ...[findEditorFolder("Code", { env, home }), "User", "globalStorage"],
        ...["saoudrizwan.claude-dev", "tasks"],
      ),
    ].map((folder) => ({ folder, endings: [CLINE_FILE], isOfProject: false, file: CLINE_FILE })),
  copilot: ({ env, home, project }) => [
    {
      folder: join(env.COPILOT_HOME || join(home, ".copilot"), "session-state"),
      endings: [".jsonl"],
      isOfProject: false,
    },
    ...listCodeWorkspaces(findEditorFolder("Code", { env, home }))
      .filter(({ folder }) => folder === project)
      .map(({ storageFolder }) => ({
        folder: join(storageFolder, "GitHub.copilot-chat", "transcripts"),
        endings: [".jsonl"],
        isOfProject: true,
      })),
  ],
  goose({ env, home }) {
    const folder =
      process.platform === "win32"
        ? join(env.APPDATA ?? home, "Block", "goose", "data", "sessions")
        : join(dataFolder(env, home), "goose", "sessions");
    const shared = { folder, isOfProject: false, isFlat: true } as const;
    const database = { ...shared, endings: [".db"], stored: findGooseDatabase };
    // Goose has imported its older storage into its database.
    return existsSync(join(folder, "sessions.db"))
      ? [database]
      : [database, { ...shared, endings: [".jsonl"] }];
  },
  cursor({ env, home, project }) {
    const editor = findEditorFolder("Cursor", { env, home });
    const projects = join(home, ".cursor", "projects");
    return [
      {
        folder: join(projects, toDashed(project).replace(/^-+/, ""), "agent-transcripts"),
        endings: [".jsonl"],
        isOfProject: true,
      },
      {
        ...{ folder: join(editor, "User", "globalStorage"), endings: ["state.vscdb"] },
        ...{ isOfProject: false, isFlat: true },
        stored: (path) => cursorDatabase(path, loadCursorKnown(editor, projects)),
      },
    ];
  },
};

function toDashed(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-");
}

function dataFolder(env: SessionLocations["env"], home: string): string {
  return env.XDG_DATA_HOME || join(home, ".local", "share");
}

/** A project's folder is named by a hash of its path, or by a short name with the path in `.project_root`. */
function findGeminiFolders({ home, project }: SessionLocations): SessionFolder[] {
  const parent = join(home, ".gemini", "tmp");
  const hash = createHash("sha256").update(project).digest("hex");
  const names = existsSync(parent) ? readdirSync(parent) : [];
  const named = names.filter((name) => {
    const root = join(parent, name, ".project_root");
    return tryReadRegularFile(root, 4_096)?.text.trim() === project;
  });
  return [...new Set([hash, ...named])].map((name) => ({
    folder: join(parent, name, "chats"),
    endings: [".json", ".jsonl"],
    isOfProject: true,
  }));
}

function loadCursorKnown(editor: string, projects: string): CursorKnown {
  const folders = new Map(
    listCodeWorkspaces(editor).flatMap(({ storageFolder, folder }) =>
      readComposers(join(storageFolder, "state.vscdb")).map(
        (composer) => [composer, folder] as const,
      ),
    ),
  );
  const written = new Set(
    listNames(projects).flatMap((name) =>
      listNames(join(projects, name, "agent-transcripts")).map((file) => file.replace(/\..*$/, "")),
    ),
  );
  return {
    folderOf: (composer) => folders.get(composer),
    hasTranscript: (composer) => written.has(composer),
  };
}

function readComposers(path: string): string[] {
  if (!existsSync(path)) return [];
  using database = new OtherDatabase(path);
  if (!database.has("ItemTable", ["key", "value"])) return [];
  return [
    ...database.rows("select value from ItemTable where key = 'composer.composerData'"),
  ].flatMap(({ value }) => {
    const composers = parseObject(value)?.allComposers;
    return Array.isArray(composers)
      ? composers.filter(isPlainObject).map(({ composerId }) => String(composerId))
      : [];
  });
}

function listNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

interface Workspace {
  readonly storageFolder: string;
  readonly folder: string;
}

/** Lists an editor's workspaces; the argument is e.g. `~/.config/Code`. */
function listCodeWorkspaces(editor: string): Workspace[] {
  const parent = join(editor, "User", "workspaceStorage");
  if (!existsSync(parent)) return [];
  return readdirSync(parent).flatMap((name) => {
    const storageFolder = join(parent, name);
    const file = join(storageFolder, "workspace.json");
    const uri = textOrDefault(parseObject(tryReadRegularFile(file, 65_536)?.text)?.folder);
    const folder = uri === undefined ? undefined : uriToPath(uri);
    return folder === undefined ? [] : [{ storageFolder, folder }];
  });
}

function findEditorFolder(
  name: string,
  {
    env,
    home,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly home: string },
): string {
  if (process.platform === "darwin") return join(home, "Library", "Application Support", name);
  if (process.platform === "win32") return join(env.APPDATA ?? home, name);
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), name);
}

/**
 * Reads Goose sessions from `sessions.db` (`sessions` with folders, `messages` with JSON blocks).
 * Skips subagent sessions.
 */
function* findGooseDatabase(path: string): Generator<StoredSession> {
  using database = new OtherDatabase(path);
  const isKnown =
    database.has("sessions", ["id", "working_dir"]) &&
    database.has("messages", ["id", "session_id", "role", "content_json", "created_timestamp"]);
  if (!isKnown) {
    throw invalidInput(`file: ${path} lacks Goose's tables (sessions, messages) and was skipped`);
  }
  const title = database.has("sessions", ["description"]) ? "description" : "id";
  const ofUser = database.has("sessions", ["session_type"])
    ? "coalesce(session_type, 'user') not in ('sub_agent', 'hidden')"
    : "true";
  const sessions = [
    ...database.rows(
      `select id, working_dir, ${title} as title from sessions where ${ofUser} order by rowid`,
    ),
  ];
  for (const session of sessions) {
    const messages = [
      ...database.rows(
        "select id, role, content_json, created_timestamp from messages where session_id = ? order by id",
        session.id,
      ),
    ];
    yield {
      key: String(session.id),
      title: textOrDefault(session.title),
      cwd: textOrDefault(session.working_dir),
      records: messages.map(({ id, role, content_json: content, created_timestamp: created }) => ({
        ...{ id: `m${String(id)}`, role, created },
        content: parseJson(content),
      })),
    };
  }
}

function parseJson(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return [];
  }
}
