import { lookup } from "node:dns/promises";
import { get } from "node:https";
import { isPublicAddress } from "../../../shared/public-address.ts";
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
  if (first === undefined || !found.every(({ address }) => isPublicAddress(address)))
    throw notThere();
  return first;
}

function notThere(): OAuthError {
  return new OAuthError("invalid_client", "client_id: there is no description at this address");
}
