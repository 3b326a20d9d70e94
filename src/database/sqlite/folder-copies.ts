import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NotedCopies } from "../noted-copies.ts";

const NAMED = 5;

/** Lists where cairn may have stored earlier content of a database, one sentence per kind. */
export function storedInFolder(path: string): string[] {
  const folder = dirname(path);
  const name = basename(path, ".db");
  const noted = new NotedCopies(folder).list().filter(({ database }) => database === name);
  const targets = (kind: string) =>
    noted.filter((copy) => copy.kind === kind).map(({ target }) => basename(target));
  return [
    ...told("A deleted database", "in the bin", binned(join(folder, "bin"), name)),
    ...told("A copy", "beside it", targets("copy")),
    ...told("A backup", "where it was written", targets("backup")),
    ...told("An export", "where it was written", targets("export")),
  ];
}

function binned(bin: string, name: string): string[] {
  if (!existsSync(bin)) return [];
  const ofThis = new RegExp(`^${name.replaceAll(".", "\\.")}-\\d{8}T\\d{9}Z\\.db$`);
  return readdirSync(bin)
    .filter((file) => ofThis.test(file))
    .map((file) => basename(file, ".db"))
    .sort();
}

function told(what: string, where: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [
    `${what} ${where} may have it: ${names.slice(0, NAMED).join(", ")}${more}. \`cairn purge --verify TEXT --everywhere\` looks.`,
  ];
}
