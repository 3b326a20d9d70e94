import type { Memory } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { ImmediateContext } from "../ports/slash-command.ts";

type MemoryContext = Pick<ImmediateContext, "memory" | "settings">;

/** The memory for reading. Throws invalid_input where the config switches it off. */
export function memoryOf({ memory, settings }: MemoryContext): Memory {
  if (memory !== undefined && settings.memory !== "off") return memory;
  throw invalidInput('Memory is off here: set "memory" to "on" in .cairn/config.json to use it.');
}

/** The memory for writing. Throws invalid_input where the config allows reading at most. */
export function writableMemoryOf(context: MemoryContext): Memory {
  const memory = memoryOf(context);
  if (context.settings.memory === "on") return memory;
  throw invalidInput(
    'Memory is only read here: set "memory" to "on" in .cairn/config.json to write to it.',
  );
}
