import { invalidInput } from "../../kernel/errors.ts";
import { gitOutput } from "../../sources/index.ts";

export interface Blamed {
  /** What the line says now. */
  readonly text: string;
  /** Absent: it is not committed. */
  readonly commit?: {
    readonly hash: string;
    readonly author: string;
    /** ISO 8601. */
    readonly at: string;
    readonly subject: string;
  };
}

/** Who wrote a line of the work tree, as git has it. Throws invalid_input where there is no such line. */
export async function blameLine(
  folder: string,
  { file, line }: { readonly file: string; readonly line: number },
): Promise<Blamed | undefined> {
  const range = `${line},${line}`;
  const { text, told } = await gitOutput(folder, [
    ...["blame", "--porcelain", "-w", "-L", range, "--", file],
  ]);
  if (text === undefined) {
    if (/has only \d+ lines/.test(told)) {
      throw invalidInput(`${file} has no line ${line} (${told.replace(/^fatal: /, "")}).`);
    }
    return undefined;
  }
  const hash = text.slice(0, text.indexOf(" "));
  const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1] ?? "";
  const said = /^\t(.*)$/m.exec(text)?.[1] ?? "";
  if (/^0+$/.test(hash)) return { text: said };
  const at = new Date(Number(field("author-time")) * 1000).toISOString();
  return { text: said, commit: { hash, author: field("author"), at, subject: field("summary") } };
}
