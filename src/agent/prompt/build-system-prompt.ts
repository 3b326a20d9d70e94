import type { Memory } from "../../memory/index.ts";
import { loadSkills } from "../files/load-skills.ts";
import type { AgentPlaces } from "../places.ts";
import type { AgentSettings } from "../settings.ts";
import { loadSubagents } from "../subagents/load-subagents.ts";
import { editModes } from "./edit-mode.prompt.ts";
import { gitSection } from "./git-state.ts";
import { instructionSections } from "./instruction-files.ts";
import { memoryGuide } from "./memory.prompt.ts";
import { type BootstrapInput, memoryBootstrap } from "./memory-bootstrap.ts";
import { rules } from "./rules.prompt.ts";
import { skillsSection, subagentsSection, type ToolSummary, toolsSection } from "./sections.ts";
import { shell } from "./shell.prompt.ts";
import { wayOfWorking } from "./way-of-working.prompt.ts";

const IDENTITY = "You are cairn, a coding agent with a memory that outlasts the conversation.";

export interface SystemPromptInput extends AgentPlaces {
  readonly settings: AgentSettings;
  /** Undefined: no bootstrap, as with `memory` "off". */
  readonly memory: Memory | undefined;
  /** The user's own, whose preferences hold everywhere; undefined where it is the same. */
  readonly ownMemory?: Memory | undefined;
  /** The layers behind the memory that are there, nearest first. */
  readonly fartherMemories?: () => Promise<readonly Memory[]>;
  /** For whom, as the log of recalls has it. */
  readonly asker?: BootstrapInput["asker"];
  /** Replaces the identity line when something is left of it after trimming. */
  readonly prefix?: string;
  /** From `findExplorationTools`, looked up once for the host. */
  readonly explorationTools: readonly string[];
  /** What the model is offered. */
  readonly tools: readonly ToolSummary[];
  readonly today: Date;
  readonly signal?: AbortSignal;
}

export interface SystemPrompt {
  readonly text: string;
  /** One sentence for each file that was cut or left out. */
  readonly warnings: readonly string[];
  /** Ids of the memories in it. */
  readonly shown: readonly string[];
}

/** The system prompt of a thread, with everything that comes from disk read now. */
export async function buildSystemPrompt(input: SystemPromptInput): Promise<SystemPrompt> {
  const instructions = await instructionSections(input);
  const { skills, warnings: skillWarnings } = await loadSkills(input);
  const { subagents, warnings: subagentWarnings } = await loadSubagents(input);
  const bootstrap = await memoryBootstrap(input);
  const offered = new Set(input.tools.map((tool) => tool.name));
  const sections = [
    input.prefix?.trim() || IDENTITY,
    dateAndPlace(input),
    wayOfWorking,
    offered.has("edit") ? editModes[input.settings.editMode] : "",
    offered.has("shell") ? shell : "",
    offered.has("shell") ? explorationHints(input.explorationTools) : "",
    rules,
    toolsSection(input.tools),
    memorySection(input, offered),
    ...instructions.sections,
    skillsSection(skills, input.projectRoot),
    offered.has("subagent") ? subagentsSection(subagents) : "",
    offered.has("shell") ? await gitSection(input.projectRoot, input.signal) : "",
    bootstrap.section,
  ];
  return {
    text: sections.filter((section) => section !== "").join("\n\n"),
    warnings: [
      ...instructions.warnings,
      ...skillWarnings,
      ...subagentWarnings,
      ...bootstrap.warnings,
    ],
    shown: bootstrap.shown,
  };
}

function dateAndPlace({ today, projectRoot, startedIn = "" }: SystemPromptInput): string {
  const place = startedIn === "" ? "" : ` The user is in its folder ${startedIn}.`;
  return `Today is ${today.toISOString().slice(0, 10)}. The project folder is ${projectRoot} (${process.platform}).${place}`;
}

function explorationHints(tools: readonly string[]): string {
  if (tools.length === 0) return "";
  return `Installed for looking around in the shell: ${tools.join(", ")}. Prefer them to grep and find.`;
}

function memorySection(input: SystemPromptInput, offered: ReadonlySet<string>): string {
  if (input.memory === undefined || !offered.has("recall")) return "";
  return offered.has("remember") ? memoryGuide.on : memoryGuide.read;
}
