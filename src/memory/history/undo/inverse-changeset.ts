import type { ItemEffect } from "./effect-events.ts";

/**
 * An undo written as a changeset. Effects that no op can express (a superseded fact becomes active again)
 * become comments. `editable`: the fields that the op `update` can set.
 */
export function inverseChangeset(
  effects: readonly ItemEffect[],
  editable: readonly string[],
): string {
  return effects.flatMap((effect) => linesOf(effect, editable)).join("\n");
}

function linesOf(effect: ItemEffect, editable: readonly string[]): string[] {
  const { kind, subjectId: id, payload } = effect;
  if (kind === "deleted") return [`delete id=${id}`];
  if (kind === "restored") return [`restore id=${id}`];
  if (kind === "processed") return [`processed ids=${id}`];
  if (kind === "labeled" || kind === "unlabeled") {
    const op = kind === "labeled" ? "label" : "unlabel";
    return [`${op} id=${id} key=${quote(payload.key)} value=${quote(payload.value)}`];
  }
  if (kind !== "updated") return [`# ${id}: ${kind.replace("_", " ")} again`];
  return effect.changed.map(({ field, before, after }) =>
    editable.includes(field) && typeof after !== "object"
      ? `update id=${id} ${field}=${quote(after)}`
      : `# ${id}: ${field} ${shown(before)} -> ${shown(after)}`,
  );
}

function quote(value: unknown): string {
  const text = String(value ?? "");
  if (/^[\w.:/-]+$/.test(text)) return text;
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

function shown(value: unknown): string {
  return JSON.stringify(value ?? null);
}
