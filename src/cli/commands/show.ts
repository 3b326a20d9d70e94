import type { MemoryEngine } from "../../memory/index.ts";
import type { CliCommand } from "../cli-command.ts";
import { completeId } from "../complete-ids.ts";
import { withMemory } from "../open-app.ts";

export const show: CliCommand = {
  name: "show",
  summary: "Show anything that has an id, with its neighbours and its history",
  group: "Inspection",
  shelf: "everyday",
  example: "cairn show ep:3\ncairn show person:Ada\ncairn show status=done",
  configure(command) {
    command.argument("<id>", "an episode, fact, concept, conflict, entity, topic, or key=value");
  },
  run: (line, [id = ""], options) =>
    withMemory(line, options, async (memory) => {
      const history = await memory.execute("history", { id: await completeId(memory, id) });
      const item = await loadItem(memory, history);
      if (options.json === true) {
        line.stdout.write(`${JSON.stringify({ ...item, history: history.events })}\n`);
        return undefined;
      }
      const [{ renderOutput }, { drawHistory }, { styleOf }] = await Promise.all([
        import("../render/render-output.ts"),
        import("../render/draw-changes.ts"),
        import("../render/style.ts"),
      ]);
      const style = styleOf(line);
      const lines = [
        ...Object.values(item).flatMap((part) => [...renderOutput(part, style), ""]),
        style.colors.bold("History"),
        ...drawHistory(history, { style, patch: false }),
      ];
      line.stdout.write(`${lines.join("\n")}\n`);
      return undefined;
    }),
};

type Part = Readonly<Record<string, unknown>>;

interface Found {
  readonly id: string;
  readonly kind: string;
  readonly events: readonly { readonly kind: string; readonly subject_id: string }[];
}

/** The record and what is next to it; nothing but the history for what was undone. */
async function loadItem(memory: MemoryEngine, { id, kind, events }: Found): Promise<Part> {
  switch (kind) {
    case "episode":
      return orUndone(async () => ({
        episode: await memory.execute("get_episode", { episode_id: id }),
      }));
    case "concept":
      return orUndone(async () => ({
        concept: await memory.execute("get_concept", { concept_id: id }),
      }));
    case "fact": {
      const told = events.find((event) => event.kind === "remembered");
      if (told === undefined) return {};
      const episode = { episode_id: told.subject_id };
      return orUndone(async () => ({ episode: await memory.execute("get_episode", episode) }));
    }
    case "conflict": {
      const { conflicts } = await memory.execute("list_conflicts", { status: "all" });
      const conflict = conflicts.find((one) => one.id === id);
      return conflict === undefined ? {} : { conflict };
    }
    case "entity":
      return orUndone(async () => ({
        entity: await memory.execute("inspect_entity", { entity_id: id }),
      }));
    case "topic":
      return orUndone(async () => ({
        topic: await memory.execute("topic_overview", { topic_id: id }),
      }));
    default: {
      const scope = `label:${id}`;
      return { label: (await memory.execute("snapshot", { scopes: [scope] }))[scope] };
    }
  }
}

/** What was undone has a history, and nothing else. */
async function orUndone(load: () => Promise<Part>): Promise<Part> {
  const { isCairnError } = await import("../../kernel/errors.ts");
  try {
    return await load();
  } catch (error) {
    if (isCairnError(error) && error.code === "not_found") return {};
    throw error;
  }
}
