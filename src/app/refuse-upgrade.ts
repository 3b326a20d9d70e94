import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { watchOf } from "../audit/index.ts";
import { factsOf, HTTP_STATUS, type RequestGuard, refuseSocket } from "../server/http/index.ts";
import type { Caller } from "../shared/caller.ts";
import { invalidInput, isCairnError } from "../shared/errors.ts";

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly watch: ReturnType<typeof watchOf> | undefined;
}

/** A server asks for its token before it says that there is nothing to change over to. */
export async function refuseUpgrade(
  guard: RequestGuard,
  { request, socket, watch }: Upgrade,
): Promise<void> {
  const other = invalidInput("This server speaks no other protocol than HTTP/1.1.");
  const refusalOf = (refused: unknown) => (isCairnError(refused) ? refused : other);
  let known: Caller | undefined;
  const onKnown = (caller: Caller) => {
    known = caller;
  };
  const error = await guard
    .check(factsOf(request), undefined, onKnown)
    .then(() => other, refusalOf);
  const noted = watch?.onUpgradeAnswer({ route: "none", status: HTTP_STATUS[error.code], known });
  refuseSocket(socket, await Promise.resolve(noted).then(() => error, refusalOf));
}
