import { letTimePass } from "../../../support/let-time-pass.ts";
import type { Cluster } from "./cluster.ts";

const PATIENCE_MS = 20_000;
const AGAIN_MS = 50;

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly token: string;
  readonly body?: object | undefined;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  /** When the request that was answered was sent; `performance.now()`. */
  readonly sentAt: number;
}

/** Undefined where no whole answer came. */
export async function askOnce(
  server: string,
  { method, path, token, body }: Asked,
): Promise<Told | undefined> {
  const sentAt = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PATIENCE_MS);
  const isScim = path.startsWith("/scim/");
  try {
    const answer = await fetch(`${server}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": isScim ? "application/scim+json" : "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: limit.signal,
    });
    return { status: answer.status, text: await answer.text(), sentAt };
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the request may be sent again, since nobody knows what became of it. */
export function isOpen(told: Told | undefined): told is undefined {
  return told === undefined || told.status === 503 || told.status === 502;
}

/** Goes from server to server until one answers with something else than "try again". */
export async function askUntilAnswered(cluster: Cluster, asked: Asked): Promise<Told> {
  for (let turn = Math.floor(Math.random() * 100); ; turn += 1) {
    const servers = cluster.addresses();
    const told = await askOnce(servers[turn % servers.length] ?? "", asked);
    if (!isOpen(told)) return told;
    await letTimePass(AGAIN_MS, "the pace of asking again");
  }
}
