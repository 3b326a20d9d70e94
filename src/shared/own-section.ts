import { stateConflict } from "./errors.ts";

/** Text between these lines belongs to cairn; everything else in the file belongs to its owner. */
export const SECTION_BEGIN =
  "<!-- cairn:begin (written by `cairn export --format claude-md`, which replaces it) -->";
export const SECTION_END = "<!-- cairn:end -->";
const BEGIN = /^<!-- cairn:begin\b.*-->[ \t]*\r?$/m;
const END = /^<!-- cairn:end -->[ \t]*\r?$/m;

/**
 * The file with the section replaced, or added at the end. Throws conflict if one of the two marks is
 * missing.
 */
export function withSection(file: string, section: string): string {
  const text = `${SECTION_BEGIN}\n${section.trimEnd()}\n${SECTION_END}`;
  const found = findSection(file);
  if (found === undefined)
    return file.trim() === "" ? `${text}\n` : `${file.trimEnd()}\n\n${text}\n`;
  return `${file.slice(0, found.from)}${text}${file.slice(found.to)}`;
}

/** The file without the section. An importer must skip it, since memory has what it says already. */
export function withoutSection(file: string): string {
  const found = findSection(file);
  return found === undefined ? file : `${file.slice(0, found.from)}${file.slice(found.to)}`;
}

function findSection(file: string): { from: number; to: number } | undefined {
  const begin = BEGIN.exec(file);
  const end = END.exec(file);
  if (begin === null && end === null) return undefined;
  if (begin === null || end === null || end.index < begin.index) {
    throw stateConflict(
      "The file has only one of the lines `<!-- cairn:begin … -->` and `<!-- cairn:end -->`, so that nobody can say what is cairn's. Put the other one back, or remove both.",
    );
  }
  return { from: begin.index, to: end.index + end[0].length };
}
