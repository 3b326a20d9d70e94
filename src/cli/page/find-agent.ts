import { linkTo } from "./find-server.ts";

/** An agent of this user with a running page, and a secret that lets in once. */
export interface FoundAgent {
  readonly url: string;
  readonly link: string;
}

export async function findAgent(
  dataDir: string,
  wanted: { readonly cwd?: string; readonly url?: string },
): Promise<FoundAgent | undefined> {
  const { readNotedAgents } = await import("../../app/index.ts");
  for (const noted of readNotedAgents(dataDir)) {
    const { cwd = noted.cwd, url = noted.url } = wanted;
    if (noted.cwd !== cwd || noted.url !== url) continue;
    const link = await linkTo(noted);
    if (link !== undefined) return { url, link };
  }
  return undefined;
}
