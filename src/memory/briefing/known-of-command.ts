import { commandKey, programsOf } from "../commands/programs-of-command.ts";
import type { ItemRecord } from "../listing/item.schema.ts";
import type { Memory } from "../memory.ts";
import type { Told } from "./block.ts";
import { shownOf } from "./known-of-file.ts";
import type { MomentRequest } from "./moment-of-use.ts";
import { toolPreference } from "./stance-on-tool.ts";
import { othersOfItsKind } from "./tools-of-a-kind.ts";

const LASTING = ["preference", "decision", "fact"];
const READ = 20;
const MAX_PROGRAMS = 3;
const MAX_OTHERS = 10;

type Asked = Pick<MomentRequest, "signal">;

export interface KnownOfCommand {
  readonly refusals: readonly Told[];
  readonly cures: readonly Told[];
}

export async function knownOfCommand(
  memory: Memory,
  command: string,
  asked: Asked,
): Promise<KnownOfCommand> {
  const programs = [...new Set(programsOf(command).map(({ program }) => program))];
  const refusals: Told[] = [];
  for (const program of programs.slice(0, MAX_PROGRAMS)) {
    refusals.push(...(await refusalOf(memory, program, asked)));
  }
  return { refusals, cures: await curesOf(memory, command, asked) };
}

async function refusalOf(memory: Memory, program: string, asked: Asked): Promise<Told[]> {
  if (!/^\w[\w.+-]*$/.test(program)) return [];
  const names = [program, ...othersOfItsKind(program).slice(0, MAX_OTHERS)];
  const found = new Map<string, ItemRecord>();
  for (const text of names) {
    const { items } = await memory.execute(
      "items",
      { kinds: ["episode", "fact"], type: LASTING, text, limit: READ },
      optionsOf(asked),
    );
    for (const item of items)
      if (item.kind === "fact" || item.type !== "fact") found.set(item.id, item);
  }
  const stances = [...found.values()]
    .filter(({ status }) => status !== "superseded")
    .map((item) => ({ item, stance: toolPreference(item.text, program) }))
    .filter(({ stance }) => stance !== undefined)
    .sort((a, b) => b.item.at.localeCompare(a.item.at) || b.item.id.localeCompare(a.item.id));
  const [newest] = stances;
  return newest?.stance === "other" ? shownOf([newest.item]) : [];
}

/** `npm test` failed …; it passed after … */
async function curesOf(memory: Memory, command: string, asked: Asked): Promise<Told[]> {
  const key = commandKey(command);
  if (key === "") return [];
  const { items } = await memory.execute(
    "items",
    { kinds: ["episode"], type: ["outcome"], text: key, limit: READ },
    optionsOf(asked),
  );
  return shownOf(items.filter(({ text }) => isCureOf(text, key))).slice(0, 1);
}

/** True if the text tells how a command of the same key came to pass, or why it fails. */
function isCureOf(text: string, key: string): boolean {
  const commands = [...text.matchAll(/`([^`]+)`/g)].map(([, command = ""]) => commandKey(command));
  return commands[0] === key && /\b(?:fail|pass|fix|work|need|because|after)/i.test(text);
}

function optionsOf({ signal }: Asked) {
  return signal === undefined ? {} : { signal };
}
