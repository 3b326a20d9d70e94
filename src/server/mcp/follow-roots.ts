import { fileURLToPath } from "node:url";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { CheckedServer } from "./checked-server.ts";

/** A client that does not answer holds up its first requests no longer; milliseconds. */
const ROOTS_TIMEOUT_MS = 2_000;

/**
 * Asks a client that has roots for its folders, once it is initialized and whenever they change. Requests wait for
 * the first response, so that nothing is stored in another project.
 */
export function followRoots(
  server: CheckedServer,
  logger: Logger,
  onRoots: (folders: readonly string[]) => void,
): void {
  server.prepare = async () => {
    if (server.getClientCapabilities()?.roots === undefined) return;
    try {
      const { roots } = await server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
      onRoots(roots.flatMap(({ uri }) => folderOf(uri)));
    } catch (error) {
      logger.warn(`The client did not name its folders: ${messageOf(error)}`);
    }
  };
}

function folderOf(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Roots of other kinds are no folders of this machine.
    return [];
  }
}
