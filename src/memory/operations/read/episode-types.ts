import { z } from "zod";
import { BUILT_IN_EPISODE_TYPES } from "../../episodes/episode-types.ts";
import { defineOperation } from "../define-operation.ts";

export const episodeTypes = defineOperation({
  name: "episode_types",
  summary: "List the built-in and the custom episode types",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({
    episode_types: z.array(z.string()),
    built_in: z.array(z.string()),
    custom: z.array(z.string()),
  }),
  rest: false,
  cli: { command: "list types", example: "cairn list types" },
  async run(context) {
    const builtIn: readonly string[] = BUILT_IN_EPISODE_TYPES;
    return {
      episode_types: [...context.episodeTypes],
      built_in: [...builtIn],
      custom: context.episodeTypes.filter((type) => !builtIn.includes(type)),
    };
  },
});
