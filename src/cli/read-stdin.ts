import type { CommandLine } from "./command-line.ts";

/** All of standard input, as UTF-8. */
export async function readStdin({ stdin }: CommandLine): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** The same without the newline that `echo` and editors put at the end. */
export async function readStdinText(line: CommandLine): Promise<string> {
  return (await readStdin(line)).replace(/\r?\n$/, "");
}
