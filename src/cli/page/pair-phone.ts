import { z } from "zod";
import type { PairingLink } from "../../phones/index.ts";
import { CairnError, invalidInput } from "../../shared/errors.ts";
import type { CommandLine } from "../command-line.ts";
import type { FoundAgent } from "./find-agent.ts";

/** Milliseconds in which a server on this machine must answer. */
const PATIENCE = 5_000;

export interface PairingWish {
  /** The address for phones to connect to; undefined: the one in use already. */
  readonly address?: string | undefined;
  readonly name?: string | undefined;
  readonly expires?: string | undefined;
}

const session = z.looseObject({ token: z.string() });
const pairing = z.looseObject({
  url: z.string(),
  until: z.string(),
  rows: z.array(z.string()),
  warning: z.string().optional(),
});
const failure = z.looseObject({ error: z.looseObject({ message: z.string() }) });

/**
 * Lets a running agent make a link for a phone, and shows it. Throws invalid_input with the agent's
 * own message.
 */
export async function pairWith(
  line: CommandLine,
  { url, link }: FoundAgent,
  wish: PairingWish,
  asJson = false,
): Promise<void> {
  const { token } = session.parse(await ask(`${url}/agent/session`, link));
  const made = pairing.parse(await ask(`${url}/agent/phones/links`, token, wish));
  await tellPairing(line, made, asJson);
}

/** Prints the link as a QR code and as text. */
export async function tellPairing(
  line: CommandLine,
  { rows: _rows, ...made }: PairingLink,
  asJson = false,
): Promise<void> {
  if (asJson) {
    line.stdout.write(`${JSON.stringify(made)}\n`);
    return;
  }
  const { codeInBlocks } = await import("../../phones/index.ts");
  const { url, until, warning } = made;
  line.stdout.write(`${codeInBlocks(url)}\n${url}\n`);
  line.stderr.write(
    `Point the phone's camera at it, once, before ${until.slice(11, 16)}Z. Paired, it sees the agent's threads and answers what they ask.\n`,
  );
  if (warning !== undefined) line.stderr.write(`${warning}\n`);
}

async function ask(url: string, secret: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE),
    redirect: "manual",
  });
  const said: unknown = await answer.json();
  if (answer.ok) return said;
  const { data } = failure.safeParse(said);
  throw data === undefined
    ? new CairnError(
        "unavailable",
        `The server at ${new URL(url).origin} answers ${answer.status}.`,
      )
    : invalidInput(data.error.message);
}
