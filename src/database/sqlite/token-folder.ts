import { link, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  CairnError,
  isMissingFile,
  notFound,
  stateConflict,
  systemErrorCode,
} from "../../shared/errors.ts";
import { makeFolder, removeAbandonedDrafts, temporaryName } from "../../shared/files.ts";
import { isPlainObject, tryParseJson } from "../../shared/json.ts";
import { EXPIRY_MS, type StoredToken, type StoredTokens } from "../database.ts";

const TOKEN_EXTENSION = ".json";
/** File that exists since the first token was created. */
const CLOSED_FILE = "closed";
/** Prefix of a reachable server's id. Servers renew their file while running. */
const SERVER_PREFIX = "server-";
/** Prefix of a token's file, written at its use. */
const LAST_USED_PREFIX = "used-";
const OWNER_ONLY_MODE = 0o600;

export class TokenFolder implements StoredTokens {
  readonly #folder: string;
  /** Folder of access state: whether tokens are required, and reachable servers. */
  readonly #serversFolder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#serversFolder = join(dirname(folder), "doors");
  }

  async list(): Promise<StoredToken[]> {
    const files = await readdir(this.#folder).catch(ignoreMissing);
    const tokens = await Promise.all(
      (files ?? [])
        .filter((file) => file.endsWith(TOKEN_EXTENSION))
        .map((file) => this.#read(file)),
    );
    const there = tokens.filter((token) => token !== undefined);
    return there.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async add(token: StoredToken): Promise<void> {
    await this.#close();
    makeFolder(this.#folder);
    removeAbandonedDrafts(this.#folder, (file) => file.endsWith(TOKEN_EXTENSION));
    const path = this.#getPath(token.name);
    const draft = temporaryName(path);
    try {
      await writeFile(draft, `${JSON.stringify(token)}\n`, { mode: OWNER_ONLY_MODE, flag: "wx" });
      await link(draft, path);
    } catch (error) {
      if (systemErrorCode(error) !== "EEXIST") throw error;
      throw stateConflict(
        `There is a token "${token.name}" already: choose another name, or revoke that one first.`,
      );
    } finally {
      await rm(draft, { force: true });
    }
  }

  async replace(token: StoredToken): Promise<void> {
    const path = this.#getPath(token.name);
    if ((await stat(path).catch(ignoreMissing)) === undefined) throw noTokenError(token.name);
    const draft = temporaryName(path);
    try {
      await writeFile(draft, `${JSON.stringify(token)}\n`, { mode: OWNER_ONLY_MODE, flag: "wx" });
      await rename(draft, path);
    } finally {
      await rm(draft, { force: true });
    }
  }

  async remove(name: string): Promise<void> {
    if (await this.isClosed()) await this.#close();
    try {
      await rm(this.#getPath(name));
    } catch (error) {
      if (!isMissingFile(error)) throw error;
      throw noTokenError(name);
    }
    await rm(join(this.#serversFolder, LAST_USED_PREFIX + fileName(name)), { force: true });
  }

  async noteUse(name: string): Promise<void> {
    await this.#write(LAST_USED_PREFIX + fileName(name));
  }

  async lastUses(): Promise<ReadonlyMap<string, string>> {
    const files = (await readdir(this.#serversFolder).catch(ignoreMissing)) ?? [];
    const useFiles = files.filter(
      (file) => file.startsWith(LAST_USED_PREFIX) && file.endsWith(TOKEN_EXTENSION),
    );
    const uses = await Promise.all(
      useFiles.map(async (file) => {
        const stats = await stat(join(this.#serversFolder, file)).catch(ignoreMissing);
        const name = file.slice(LAST_USED_PREFIX.length, -TOKEN_EXTENSION.length);
        return stats === undefined ? [] : [[name, stats.mtime.toISOString()] as const];
      }),
    );
    return new Map(uses.flat());
  }

  async isClosed(): Promise<boolean> {
    if ((await stat(join(this.#serversFolder, CLOSED_FILE)).catch(ignoreMissing)) !== undefined)
      return true;
    const files = (await readdir(this.#folder).catch(ignoreMissing)) ?? [];
    return files.some((file) => file.endsWith(TOKEN_EXTENSION));
  }

  async reopen(): Promise<void> {
    await rm(join(this.#serversFolder, CLOSED_FILE), { force: true });
  }

  async noteServer(id: string): Promise<void> {
    await this.#write(`${SERVER_PREFIX}${id}`);
  }

  async forgetServer(id: string): Promise<void> {
    await rm(join(this.#serversFolder, `${SERVER_PREFIX}${id}`), { force: true });
  }

  async countServers(): Promise<number> {
    const files = (await readdir(this.#serversFolder).catch(ignoreMissing)) ?? [];
    const serverFiles = files.filter((file) => file.startsWith(SERVER_PREFIX));
    const times = await Promise.all(
      serverFiles.map((file) => stat(join(this.#serversFolder, file)).catch(ignoreMissing)),
    );
    return times.filter((it) => it !== undefined && Date.now() - it.mtimeMs < EXPIRY_MS).length;
  }

  #close(): Promise<void> {
    return this.#write(CLOSED_FILE);
  }

  async #write(file: string): Promise<void> {
    makeFolder(this.#serversFolder);
    await writeFile(join(this.#serversFolder, file), `${new Date().toISOString()}\n`, {
      mode: OWNER_ONLY_MODE,
    });
  }

  /** Returns undefined for a token removed in the meantime. */
  async #read(file: string): Promise<StoredToken | undefined> {
    const path = join(this.#folder, file);
    // Reading a named pipe would block.
    const stats = await stat(path).catch(ignoreMissing);
    if (stats === undefined) return undefined;
    const text = stats.isFile() ? await readFile(path, "utf8").catch(ignoreMissing) : "";
    if (text === undefined) return undefined;
    const name = file.slice(0, -TOKEN_EXTENSION.length);
    const token = tryParseJson(text);
    if (isStoredToken(token) && fileName(token.name) === file) return token;
    throw new CairnError(
      "unavailable",
      `The token "${name}" is damaged: remove it with \`cairn token revoke ${name}\`, and create it again.`,
    );
  }

  #getPath(name: string): string {
    return join(this.#folder, fileName(name));
  }
}

function noTokenError(name: string): CairnError {
  return notFound(`There is no token "${name}". \`cairn token list\` lists them.`);
}

/** Names are case-insensitive, since some file systems treat `Ada` and `ada` as the same file. */
function fileName(name: string): string {
  return `${name.toLowerCase()}${TOKEN_EXTENSION}`;
}

function isStoredToken(value: unknown): value is StoredToken {
  if (!isPlainObject(value)) return false;
  const { name, scope, hash, created_at: created } = value;
  const areTexts = [name, scope, hash, created].every((field) => typeof field === "string");
  return areTexts && /^[0-9a-f]{64}$/.test(String(hash));
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
  return undefined;
}
