import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoadedConfig, loadConfig, type Reader } from "../config/index.ts";
import { findInFile, RecordedCopies } from "../database/index.ts";
import {
  createEmbedder,
  type Embedder,
  type EmbedOptions,
  type Reading,
  signedReading,
  type TextInContext,
} from "../embedding/index.ts";
import type { MemoryStore, Operation } from "../memory/index.ts";
import { createOperations } from "../memory/index.ts";
import type { Logger } from "../shared/logger.ts";
import { askModel } from "./daemon/index.ts";
import { recordProject } from "./note-project.ts";
import { createStoreParts, openStore, type StoreOptions } from "./store-parts.ts";

const MANY_TEXTS = 32;

function withDaemonModel(own: Embedder, folder: string): Embedder {
  const { read: readAlone, readMany: readManyAlone } = own;
  if (readAlone === undefined || readManyAlone === undefined) return own;
  const program = fileURLToPath(new URL("./daemon.program.js", import.meta.url));
  let isAlone = false;

  const read = async (texts: readonly TextInContext[], options: EmbedOptions = {}) => {
    const { signal, role = "passage" } = options;
    if (!isAlone && texts.length < MANY_TEXTS) {
      signal?.throwIfAborted();
      const found = await askModel(folder, { program, texts, role, signal }).catch(() => undefined);
      signal?.throwIfAborted();
      if (found !== undefined) return found.map(decodeReading);
    }
    isAlone = true;
    return readAlone(texts, options);
  };

  return {
    ...own,
    read,
    async readMany(texts, options = {}) {
      if (isAlone || texts.length >= MANY_TEXTS) return readManyAlone(texts, options);
      return (await read(texts, options)).map(signedReading);
    },
    async embed(texts, options) {
      if (isAlone || texts.length >= MANY_TEXTS) return own.embed(texts, options);
      const inContext = texts.map((text) => ({ text, before: "" }));
      return (await read(inContext, options)).map(({ vector }) => vector);
    },
  };
}

type ModelReading = NonNullable<Awaited<ReturnType<typeof askModel>>>[number];

function decodeReading({ vector, tokens }: ModelReading): Reading {
  return {
    vector: toFloats(vector),
    tokens: tokens.map((token) => ({ text: token.text, vector: toFloats(token.vector) })),
  };
}

/** Copies, because Float32Array needs 4-byte alignment. */
function toFloats(sent: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(sent, "base64")).buffer);
}

export interface AppOptions extends StoreOptions {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly logger: Logger;
  readonly furtherOperations?: readonly Operation[];
  readonly reader: Reader;
}

export interface App {
  readonly config: LoadedConfig;
  readonly store: MemoryStore;
  readonly logger: Logger;
  close(): Promise<void>;
}

/** The composition root. Opens, loads and connects lazily. */
export function assembleApp(
  options: Omit<AppOptions, "furtherOperations">,
  operations: ReadonlyMap<string, Operation>,
): App {
  const { config, logger } = readSettings(options);
  const parts = createStoreParts(config, options);
  const embedder = createSharedEmbedder(config, options);
  const store = openStore(parts, { operations, embedder, logger });
  return {
    config,
    store,
    logger,
    async close() {
      if (await store.hasDefault()) recordProject(config);
      await store.close();
      await embedder?.close();
    },
  };
}

function createSharedEmbedder({ settings, dataDir }: LoadedConfig, { sharesModel }: StoreOptions) {
  const own = createEmbedder(settings.embedding) ?? undefined;
  const isShared =
    sharesModel === true && settings.daemon === "auto" && settings.embedding.provider === "minilm";
  return own !== undefined && isShared ? withDaemonModel(own, join(dataDir, "daemon")) : own;
}

export function readSettings(
  options: Pick<AppOptions, "flags" | "env" | "cwd" | "reader" | "logger">,
): Pick<App, "config" | "logger"> {
  const { env, cwd, reader, flags = {} } = options;
  const config = loadConfig({ flags, env, cwd, reader });
  const logger = options.logger.inFormat?.(config.settings.logFormat) ?? options.logger;
  for (const warning of config.warnings) logger.warn(warning);
  return { config, logger };
}

export function createApp(options: AppOptions): App {
  return assembleApp(options, createOperations(options.furtherOperations));
}

export interface StoredCopy {
  readonly kind: "database" | "bin" | "queue" | "transcript" | "backup" | "export" | "other";
  readonly file: string;
  readonly name?: string;
  /** Byte offset of the first match. */
  readonly offset: number;
}

export interface StorageSearch {
  readonly found: readonly StoredCopy[];
  readonly unread: readonly string[];
  readonly looked: number;
}

type TextLocation = Omit<StoredCopy, "offset"> & { readonly path: string };

/**
 * Searches everything that cairn stores: databases, logs, drafts, trash, sessions, hook queue with
 * its transcripts, and recorded copies.
 */
export async function searchAllStorage(
  { config, store }: App,
  texts: readonly string[],
): Promise<StorageSearch> {
  const { dataDir } = config;
  const found: StoredCopy[] = [];
  const unread: string[] = [];
  const locations = [...findInFolder(dataDir), ...findOutside(dataDir)];
  for (const { path, ...location } of locations) {
    try {
      const [offset] = await findInFile(path, texts);
      if (offset !== undefined) found.push({ ...location, offset });
    } catch {
      if (existsSync(path)) unread.push(location.file);
    }
  }
  if (await isOnServer(store)) {
    for (const { name } of await store.list()) {
      const database = await store.open(name).database();
      for (const text of texts) {
        const matches = await database.findBytes(text);
        found.push(...matches.map((each) => ({ kind: "database" as const, name, ...each })));
      }
    }
    unread.push(...(await store.bin()).map(({ id }) => id));
  }
  return { found, unread, looked: locations.length };
}

async function isOnServer(store: App["store"]): Promise<boolean> {
  const [any] = await store.list();
  return any !== undefined && (await store.open(any.name).database()).isOnServer;
}

function findInFolder(dataDir: string): TextLocation[] {
  return filesIn(dataDir).map((path) => {
    const file = relative(dataDir, path);
    const [folder = "", inside] = file.split(sep);
    if (inside === undefined) {
      const [, name] = /^(.+?)\.db(?:[.-].*)?$/.exec(file) ?? [];
      return name === undefined
        ? { kind: "other", file, path }
        : { kind: "database", file, name, path };
    }
    if (folder === "bin") return { kind: "bin", file, name: inside.replace(/\.db.*$/, ""), path };
    return { kind: folder === "queue" ? "queue" : "other", file, path };
  });
}

function findOutside(dataDir: string): TextLocation[] {
  const copies = new RecordedCopies(dataDir).list().flatMap(({ kind, target }) => {
    if (kind === "copy") return [];
    return listFiles(target).map((path): TextLocation => ({ kind, file: path, path }));
  });
  const transcripts = filesIn(join(dataDir, "queue"))
    .flatMap((job) => parseTranscriptPath(readFileSync(job, "utf8")) ?? [])
    .flatMap(listFiles)
    .map((path): TextLocation => ({ kind: "transcript", file: path, path }));
  return [...copies, ...transcripts];
}

function parseTranscriptPath(job: string): string | undefined {
  const [, path] = /"transcriptPath"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(job) ?? [];
  return path === undefined ? undefined : (JSON.parse(path) as string);
}

function listFiles(target: string): string[] {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return filesIn(target);
  return stats?.isFile() ? [target] : [];
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
