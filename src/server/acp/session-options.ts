import { RequestError, type SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import {
  type ChosenModel,
  EFFORTS,
  PERMISSION_MODES,
  type PermissionMode,
  type ThreadHost,
} from "../../agent/index.ts";

export const MODE_NAMES: Readonly<Record<PermissionMode, string>> = {
  plan: "Plan: reads only",
  ask: "Ask: before edits and commands",
  edits: "Edits: without asking",
  auto: "Auto: asks before irreversible actions",
};

const PROVIDER_DEFAULT = "default";

export interface SessionConfigOptions {
  readonly mode: PermissionMode;
  readonly chosen: ChosenModel;
  readonly models: readonly string[];
}

export function sessionOptions({
  mode,
  chosen,
  models,
}: SessionConfigOptions): SessionConfigOption[] {
  const { model, effort } = chosen;
  const names = models.includes(model) ? models : [model, ...models];
  const unchosen = { value: PROVIDER_DEFAULT, name: "Provider default" };
  return [
    {
      ...{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: mode },
      description: "What requires permission, in all sessions of the project.",
      options: PERMISSION_MODES.map((value) => ({ value, name: MODE_NAMES[value] })),
    },
    {
      ...{ id: "model", name: "Model", category: "model", type: "select", currentValue: model },
      options: names.map((value) => ({ value, name: value })),
    },
    {
      ...{ id: "effort", name: "Effort", category: "thought_level", type: "select" },
      description: "Reasoning effort of the model.",
      currentValue: effort ?? PROVIDER_DEFAULT,
      options: [
        ...(effort === undefined ? [unchosen] : []),
        ...EFFORTS.map((value) => ({ value, name: value })),
      ],
    },
  ];
}

export function requireMode(name: string): PermissionMode {
  return requireName(name, { what: "a mode", known: PERMISSION_MODES });
}

export async function chooseForThread(
  host: ThreadHost,
  threadId: string,
  { id, value }: { readonly id: string; readonly value: string },
): Promise<void> {
  if (id === "model") {
    if (value.trim() === "")
      throw RequestError.invalidParams(undefined, "value: must be a model name.");
    await host.choose(threadId, { model: value });
    return;
  }
  if (id !== "effort") {
    throw RequestError.invalidParams(undefined, `configId: "${id}" is not mode, model or effort.`);
  }
  const { effort } = await host.chosen(threadId);
  if (value === PROVIDER_DEFAULT && effort === undefined) return;
  await host.choose(threadId, {
    effort: requireName(value, { what: "an effort", known: EFFORTS }),
  });
}

function requireName<Name extends string>(
  requested: string,
  { what, known }: { readonly what: string; readonly known: readonly Name[] },
): Name {
  const found = known.find((one) => one === requested);
  if (found !== undefined) return found;
  throw RequestError.invalidParams(
    undefined,
    `"${requested}" is not ${what}: ${known.join(", ")}.`,
  );
}
