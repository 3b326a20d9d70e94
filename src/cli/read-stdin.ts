import type { CommandLine } from "./command-line.ts";

/** All of standard input, as UTF-8. */
export async function readStdin({ stdin }: CommandLine): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
