import { isDeepStrictEqual } from "node:util";
import { isCollection, parseDocument } from "yaml";
import { invalidInput, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { ConfigPart, DocumentFormat, OwnedValue } from "../index.ts";
import {
  type Client,
  type ClientLocations,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "../index.ts";
import { existedBefore } from "./backups.ts";
import { jsonDocument } from "./documents/json-document.ts";
import type { Change, DocumentLanguage } from "./documents/script-document.ts";
import { scriptDocument } from "./documents/script-document.ts";
import { tomlDocument } from "./documents/toml-document.ts";
import { editYaml } from "./documents/yaml-edit.ts";
import { type ConfigText, readConfig } from "./read-config.ts";

const yamlDocument: DocumentLanguage = {
  title: "YAML",
  parse(text) {
    return toPlainContent(readDocument(text));
  },
  apply(text, change) {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    const lines = text.replaceAll("\r\n", "\n");
    const document = isChanged(lines, change);
    const edited = editYaml({ text: lines, document: readDocument(lines), ...change });
    const isRight =
      edited !== undefined && isDeepStrictEqual(tryContent(edited), toPlainContent(document));
    // Preserves the user's long lines.
    const after = isRight ? edited : document.toString({ lineWidth: 0 });
    return after.replaceAll("\n", eol);
  },
};

function isChanged(text: string, { path, value }: Change) {
  const document = readDocument(text);
  const keys = [...path];
  if (value === undefined) {
    document.deleteIn(keys);
    removeEmpty(document, keys.slice(0, -1));
  } else {
    document.setIn(keys, document.createNode(value));
  }
  return document;
}

function toPlainContent(document: ReturnType<typeof parseDocument>): unknown {
  return document.toJS({ maxAliasCount: 1_000 });
}

function tryContent(text: string): unknown {
  try {
    return toPlainContent(readDocument(text));
  } catch {
    // Expected: not parsable.
    return undefined;
  }
}

function readDocument(text: string) {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error === undefined) return document;
  const line = error.linePos?.[0].line;
  throw new Error(`${line === undefined ? "" : `line ${line}: `}${error.message.split("\n")[0]}`);
}

function removeEmpty(document: ReturnType<typeof parseDocument>, path: (string | number)[]): void {
  if (path.length === 0) return;
  const parent = document.getIn(path);
  if (isCollection(parent) && parent.items.length === 0) document.deleteIn(path);
}

export const documentLanguages = {
  json: jsonDocument,
  toml: tomlDocument,
  yaml: yamlDocument,
  script: scriptDocument,
} as const satisfies Record<DocumentFormat, DocumentLanguage>;

export interface FileChange {
  /** Path used by the client; `config.realPath` is written. */
  readonly file: string;
  readonly config: ConfigText;
  readonly after: string;
}

export type PartState = "current" | "outdated" | "absent";

/** Returns the changed files to write. Throws if a file is invalid. */
export function planChanges(
  parts: readonly ConfigPart[],
  action: "connect" | "remove",
): FileChange[] {
  return parts.flatMap((part) => {
    const config = readConfig(part.file);
    const before = config.text ?? "";
    const content = parsePart(part, before);
    const pendingChanges = part.owned.flatMap((owned) => changesFor(content, owned, action));
    if (pendingChanges.length === 0) return [];
    const isNew = before.trim() === "";
    const initial = isNew ? Object.entries(part.initial ?? {}) : [];
    const changes = [...initial.map(([key, value]) => ({ path: [key], value })), ...pendingChanges];
    const applied = applySequentially(part, before, action, changes);
    const isNothing = action === "remove" && containsOnlyOwnEntries(part, applied, config);
    const after = isNothing ? "" : applied;
    return after === before ? [] : [{ file: part.file, config, after }];
  });
}

/** True if only cairn's own content is left. */
function containsOnlyOwnEntries(part: ConfigPart, text: string, { realPath }: ConfigText): boolean {
  if (/^\s*[#/]/m.test(text)) return false;
  const remaining = parsePart(part, text);
  const initial = part.initial ?? {};
  const isEmpty =
    Object.keys(remaining).length === 0 || isDeepStrictEqual(toPlain(remaining), toPlain(initial));
  return isEmpty && !existedBefore(realPath);
}

export function partState(part: ConfigPart): PartState {
  const content = parsePart(part, readConfig(part.file).text ?? "");
  const missing = part.owned.filter((owned) => changesFor(content, owned, "connect").length > 0);
  const present = part.owned.filter((owned) => changesFor(content, owned, "remove").length > 0);
  if (present.length === 0) return "absent";
  return missing.length === 0 ? "current" : "outdated";
}

export function parsePart({ file, format }: ConfigPart, text: string): Record<string, unknown> {
  const language = documentLanguages[format];
  try {
    const content = language.parse(text) ?? {};
    if (isPlainObject(content)) return content;
  } catch (error) {
    throw invalidInput(
      `${file} is not valid ${language.title}: ${messageOf(error)}. Correct the file; nothing was changed.`,
    );
  }
  throw invalidInput(`${file} is not a map of settings. Fix the file; nothing was changed.`);
}

function applySequentially(
  part: ConfigPart,
  before: string,
  action: "connect" | "remove",
  changes: readonly Change[],
): string {
  const language = documentLanguages[part.format];
  let text = before;
  for (const change of changes) text = language.apply(text, change);
  if (action === "remove") text = withoutEmptied(part, text);
  // Verify by parsing: clients must be able to read their config.
  const content = parsePart(part, text);
  const remaining = part.owned.filter((owned) => changesFor(content, owned, action).length > 0);
  if (remaining.length === 0) return text;
  throw invalidInput(
    `${part.file}: its structure has no place for ${remaining.map(({ path }) => path.join(".")).join(", ")}; nothing was changed.`,
  );
}

/** Also removes maps that become empty. */
function withoutEmptied(part: ConfigPart, text: string): string {
  const language = documentLanguages[part.format];
  let rest = text;
  for (const { path } of part.owned) {
    for (let depth = path.length - 1; depth > 0; depth -= 1) {
      const parent = path.slice(0, depth);
      const map = mapAt(parsePart(part, rest), parent);
      if (map === undefined || Object.keys(map).length > 0) break;
      rest = language.apply(rest, { path: parent, value: undefined });
    }
  }
  return rest;
}

function changesFor(content: unknown, owned: OwnedValue, action: "connect" | "remove"): Change[] {
  return owned.kind === "value"
    ? valueChanges(content, owned, action)
    : itemChanges(content, owned, action);
}

function valueChanges(
  content: unknown,
  { path, value, isOurs }: Extract<OwnedValue, { kind: "value" }>,
  action: "connect" | "remove",
): Change[] {
  const parent = mapAt(content, path.slice(0, -1));
  const present = parent?.[path.at(-1) ?? ""];
  if (action === "remove") return present === undefined ? [] : [{ path, value: undefined }];
  const desired = isOurs(present) ? restoreAdditions(present, value) : value;
  return isDeepStrictEqual(toPlain(present), toPlain(desired)) ? [] : [{ path, value: desired }];
}

function itemChanges(
  content: unknown,
  { path, value, isOurs }: Extract<OwnedValue, { kind: "item" }>,
  action: "connect" | "remove",
): Change[] {
  const list = listAt(content, path);
  const ours = list.flatMap((item, index) => (isOurs(item) ? [index] : []));
  const [only] = ours;
  const desired = only === undefined ? value : restoreAdditions(list[only], value);
  const isCurrent =
    ours.length === 1 &&
    only !== undefined &&
    isDeepStrictEqual(toPlain(list[only]), toPlain(desired));
  if (action === "connect" && isCurrent) return [];
  const emptied = ours.length > 0 && ours.length === list.length;
  const removals = emptied
    ? [{ path, value: undefined }]
    : ours.toReversed().map((index) => ({ path: [...path, index], value: undefined }));
  if (action === "remove") return removals;
  const rest = list.length - ours.length;
  const addition =
    rest === 0 ? { path, value: [desired] } : { path: [...path, rest], value: desired };
  return [...removals, addition];
}

/** Undefined if absent. Throws if it is not a map. */
function mapAt(content: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  let value = content;
  for (const [depth, name] of path.entries()) {
    value = isPlainObject(value) ? value[name] : undefined;
    if (value === undefined || value === null) return undefined;
    if (!isPlainObject(value)) throw invalidShapeError(path.slice(0, depth + 1), "a map");
  }
  return isPlainObject(value) ? value : undefined;
}

function listAt(content: unknown, path: readonly string[]): readonly unknown[] {
  const list = mapAt(content, path.slice(0, -1))?.[path.at(-1) ?? ""];
  if (list === undefined || list === null) return [];
  if (Array.isArray(list)) return list;
  throw invalidShapeError(path, "a list");
}

function invalidShapeError(path: readonly string[], expected: string) {
  return invalidInput(`"${path.join(".")}" is not ${expected}. Correct it; nothing was changed.`);
}

function toPlain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/**
 * Merges cairn's entry with the user's additions, such as a timeout or variable. Lists of maps of
 * equal length are merged by index; other lists are replaced.
 */
function restoreAdditions(present: unknown, desired: unknown): unknown {
  if (isPlainObject(present) && isPlainObject(desired)) {
    const own = Object.entries(desired).map(([name, value]) => [
      name,
      restoreAdditions(present[name], value),
    ]);
    return { ...present, ...Object.fromEntries(own) };
  }
  if (!isListOfMaps(present) || !isListOfMaps(desired)) return desired;
  if (present.length !== desired.length) return desired;
  return desired.map((item, index) => restoreAdditions(present[index], item));
}

function isListOfMaps(value: unknown): value is readonly Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isPlainObject);
}

/** Returns the client's command for cairn from the first config that contains one. */
export function readServerEntry(
  locations: ClientLocations,
  client: Client,
  scope: Scope,
): ServerCommand | undefined {
  const { server } = client;
  for (const file of server.files(locations, scope)) {
    const text = readConfig(file).text;
    if (text === undefined) continue;
    const content = parsePart({ file, format: server.format, owned: [] }, text);
    let value: unknown = content;
    for (const name of server.path) value = isPlainObject(value) ? value[name] : undefined;
    const entry = Array.isArray(value)
      ? value.find((item) => isPlainObject(item) && item.name === SERVER_NAME)
      : isPlainObject(value)
        ? value[SERVER_NAME]
        : undefined;
    const command = server.read(entry);
    if (command !== undefined) return command;
  }
  return undefined;
}
