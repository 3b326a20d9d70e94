import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { factsOf, type RequestGuard, refuseSocket } from "../server/http/index.ts";
import { invalidInput, isCairnError } from "../shared/errors.ts";

export async function refuseUpgrade(
  guard: RequestGuard,
  request: IncomingMessage,
  socket: Duplex,
): Promise<void> {
  const other = invalidInput("This server speaks no other protocol than HTTP/1.1.");
  const error = await guard.check(factsOf(request)).then(
    () => other,
    (refused: unknown) => (isCairnError(refused) ? refused : other),
  );
  refuseSocket(socket, error);
}
