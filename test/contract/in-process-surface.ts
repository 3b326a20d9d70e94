import { OWNER } from "../../src/shared/caller.ts";
import { isCairnError } from "../../src/shared/errors.ts";
import type { Surface, SurfaceSetup } from "./surface.ts";

export function inProcessSurface({ store }: SurfaceSetup): Surface {
  return {
    name: "in process",
    async call(operation, input) {
      try {
        return {
          output: await store.open().executeNamed(operation.name, input, { caller: OWNER }),
        };
      } catch (error) {
        if (isCairnError(error)) return { error: { code: error.code, details: error.details } };
        throw error;
      }
    },
    close: async () => undefined,
  };
}
