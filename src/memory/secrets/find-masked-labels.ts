import type { Tx } from "../../database/index.ts";
import { type LabelSubject, loadLabels } from "../labels/label.queries.ts";
import { getMask, isMasked, isMaskOf } from "./find-secrets.ts";
import { kindOfNamed } from "./judge-value.ts";

export interface NamedLabel {
  readonly key: string;
  readonly value: string | undefined;
}

export async function findMaskedLabels(
  tx: Tx,
  subject: LabelSubject,
  named: NamedLabel,
): Promise<readonly NamedLabel[]> {
  const { key, value } = named;
  if (!isMasked(key) && !isMasked(value ?? "")) return [named];
  const carried = await loadLabels(tx, subject);
  if (carried.some((one) => one.key === key && (value ?? one.value) === one.value)) return [named];
  const intended: NamedLabel[] = [];
  for (const one of carried) {
    if (!(await isMaskOf(key, one.key))) continue;
    if (value === undefined || (await isMaskOfLabel(value, one))) intended.push(one);
  }
  return intended.length === 0 ? [named] : intended;
}

async function isMaskOfLabel(masked: string, { key, value = "" }: NamedLabel): Promise<boolean> {
  const kind = kindOfNamed(key, value);
  return (await isMaskOf(masked, value)) || (kind !== undefined && masked === getMask(kind));
}
