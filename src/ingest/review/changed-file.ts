/** A line that a change adds. */
export interface AddedLine {
  /** In the file as it is after the change, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface ChangedFile {
  /** Relative to the top of the work tree, with slashes. */
  readonly path: string;
  readonly added: readonly AddedLine[];
}

/** The files of a unified diff as git prints it, with what it adds; deleted files are left out. */
export function changedFiles(diff: string): readonly ChangedFile[] {
  const files: { path: string; added: AddedLine[] }[] = [];
  let next = 0;
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of diff.split("\n")) {
    if (oldLeft > 0 || newLeft > 0) {
      // Inside of a hunk a line `+++ x` is one that was added.
      if (text.startsWith("+")) {
        files.at(-1)?.added.push({ line: next, text: text.slice(1).replace(/\r$/, "") });
        next += 1;
        newLeft -= 1;
      } else if (text.startsWith("-")) oldLeft -= 1;
      else if (!text.startsWith("\\")) {
        next += 1;
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const named = /^\+\+\+ (.*?)\t?$/.exec(text)?.[1];
    if (named !== undefined) {
      const path = pathOf(named);
      files.push({ path, added: [] });
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk === null) continue;
    oldLeft = Number(hunk[1] ?? 1);
    next = Number(hunk[2]);
    newLeft = Number(hunk[3] ?? 1);
  }
  return files.filter(({ path }) => path !== "/dev/null");
}

/** Without the prefix that git puts before it, and the quotes around an unusual name. */
function pathOf(named: string): string {
  const plain = /^".*"$/.test(named) ? unquoted(named) : named;
  return plain === "/dev/null" ? plain : plain.replace(/^[bw]\//, "");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function unquoted(named: string): string {
  return named.slice(1, -1).replaceAll(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}
