import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { invalidInput, notFound } from "../../shared/errors.ts";
import { didYouMean } from "../../shared/nearest.ts";
import type { ProjectCopy } from "../ports/project-copy.ts";

const record = z.object({ name: z.string(), project: z.string(), createdAt: z.string() });
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;

export function checkCopyName(name: string): void {
  if (NAME.test(name)) return;
  throw invalidInput(
    "copy: a name is 1 to 40 letters, digits, dots, underscores or hyphens, and starts with a letter or digit",
  );
}

/**
 * Beside cairn's own data and not in them: those are hidden from what an agent runs. Copies of projects
 * of the same name lie apart.
 */
export function folderOfCopies(dataDir: string, project: string): string {
  const whole = resolve(project);
  const sign = createHash("sha256").update(whole).digest("hex").slice(0, 12);
  return join(`${resolve(dataDir)}-copies`, `${basename(whole)}-${sign}`);
}

export function placeOfCopy(
  dataDir: string,
  project: string,
  name: string,
): Omit<ProjectCopy, "createdAt"> {
  checkCopyName(name);
  const folder = join(folderOfCopies(dataDir, project), name);
  return {
    name,
    project: resolve(project),
    folder,
    // Programs show the name of the folder: it is that of the project.
    tree: join(folder, "tree", basename(resolve(project)) || "project"),
    base: join(folder, "base"),
  };
}

/** Those that are whole, the oldest first. */
export function listCopies(dataDir: string, project: string): readonly ProjectCopy[] {
  const folder = folderOfCopies(dataDir, project);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => readCopy(dataDir, project, name) ?? [])
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

/** Throws not_found. */
export function findCopy(dataDir: string, project: string, name: string): ProjectCopy {
  checkCopyName(name);
  const copy = readCopy(dataDir, project, name);
  if (copy !== undefined) return copy;
  const names = listCopies(dataDir, project).map((one) => one.name);
  const known = names.length === 0 ? " There is none." : didYouMean(name, names);
  throw notFound(`There is no copy "${name}" of ${resolve(project)}.${known}`);
}

/** The copy whose files lie in this folder; undefined: it is none. What commands write there has no say. */
export function copyAt(dataDir: string, tree: string): ProjectCopy | undefined {
  const copies = `${realPath(resolve(dataDir))}-copies`;
  const [sign, name, ...rest] = relative(realPath(copies), realPath(tree)).split(sep);
  if (sign === undefined || sign === ".." || name === undefined || rest.length !== 2)
    return undefined;
  const file = join(copies, sign, name, NOTE);
  if (!existsSync(file)) return undefined;
  const { data } = record.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (data === undefined) return undefined;
  const copy = readCopy(dataDir, data.project, name);
  return copy !== undefined && realPath(copy.tree) === realPath(tree) ? copy : undefined;
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** The note is written last: without it a copy was never finished. */
export const NOTE = "copy.json";

function readCopy(dataDir: string, project: string, name: string): ProjectCopy | undefined {
  if (!NAME.test(name)) return undefined;
  const place = placeOfCopy(dataDir, project, name);
  const file = join(place.folder, NOTE);
  if (!existsSync(file)) return undefined;
  const { data } = record.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return data === undefined ? undefined : { ...place, createdAt: data.createdAt };
}
