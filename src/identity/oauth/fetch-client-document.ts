import { lookup } from "node:dns/promises";
import { get } from "node:https";
import { BlockList, isIP } from "node:net";
import { OAuthError } from "./oauth-error.ts";

const MOST_BYTES = 10_000;
const PATIENCE_MS = 5_000;

/**
 * What a client says of itself at its own address: JSON, from the public network alone. Whoever names
 * the address could else have this server ask for what only it can reach. Throws OAuthError.
 */
export async function fetchClientDocument(address: string): Promise<unknown> {
  const url = new URL(address);
  const { address: ip, family } = await publicAddress(url.hostname);
  const text = await new Promise<string>((resolve, reject) => {
    const request = get(
      url,
      {
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(PATIENCE_MS),
        // The address that was looked at is the one that is asked, whatever the name leads to now.
        lookup: (_name, { all }, done) =>
          all ? done(null, [{ address: ip, family }]) : done(null, ip, family),
      },
      (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy();
          reject(notThere());
          return;
        }
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES) request.destroy(notThere());
          else chunks.push(chunk);
        });
        answer.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
        answer.on("error", () => reject(notThere()));
      },
    );
    request.on("error", () => reject(notThere()));
  });
  try {
    return JSON.parse(text);
  } catch {
    throw notThere();
  }
}

async function publicAddress(host: string): Promise<{ address: string; family: number }> {
  const name = host.replace(/^\[|\]$/g, "");
  const found = await lookup(name, { all: true }).catch(() => []);
  const [first] = found;
  if (first === undefined || !found.every(({ address }) => isPublic(address))) throw notThere();
  return first;
}

const NOT_PUBLIC = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  NOT_PUBLIC.addSubnet(net, bits, "ipv4");
}

/** Of IPv6 only what is given out to the public. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, "ipv4");
  return isIP(address) === 6 && /^[23]/.test(address) && !/^2002:/i.test(address);
}

function notThere(): OAuthError {
  return new OAuthError("invalid_client", "client_id: there is no description at this address");
}
