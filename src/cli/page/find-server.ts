import { z } from "zod";
import type { NotedAgent } from "../../app/index.ts";

const health = z.looseObject({ ok: z.literal(true), version: z.string(), read_only: z.boolean() });

/** Milliseconds in which a server on this machine must answer. */
const PATIENCE = 2_000;

/** Whether a `cairn serve` with a page answers at this address. One with a token counts as well. */
export async function servesPage(url: string): Promise<boolean> {
  const ask = (path: string) =>
    fetch(url + path, { signal: AbortSignal.timeout(PATIENCE), redirect: "manual" });
  try {
    const answer = await ask("/health");
    const isCairn = answer.status === 401 || health.safeParse(await answer.json()).success;
    if (!isCairn) return false;
    const page = await ask("/ui/");
    return page.ok && (await page.text()).includes("<title>cairn</title>");
  } catch {
    // Nobody listens, or somebody who speaks something else.
    return false;
  }
}

const made = z.looseObject({ link: z.string() });

/** A secret that lets one page in to this agent; undefined if its server is gone. */
export async function linkTo({ url, secret }: NotedAgent): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/agent/links`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(PATIENCE),
      redirect: "manual",
    });
    return answer.ok ? made.parse(await answer.json()).link : undefined;
  } catch {
    // The agent was killed, or another program uses its port.
    return undefined;
  }
}
