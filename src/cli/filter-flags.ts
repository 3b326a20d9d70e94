import type { Command } from "commander";
import { parseField } from "../shared/parse-field.ts";
import { FILTER_OPTIONS, type FilterOption } from "./filter-options.ts";

export function addFilterFlags(command: Command, of?: readonly string[]): void {
  for (const { flags, isList, isSwitch, says } of selected(of)) {
    const [long = "", ...others] = flags;
    const short = others.find((flag) => !flag.startsWith("--"));
    const flagNames = short === undefined ? long : `${short}, ${long}`;
    const singular = others.find((flag) => flag.startsWith("--"));
    if (isSwitch) command.option(flagNames, says);
    else if (isList) command.option(`${flagNames} <list>`, says, collect);
    else command.option(`${flagNames} <text>`, says);
    if (singular === undefined) continue;
    const option = command.createOption(
      `${singular} <entry>`,
      `Like ${long}, with a single value.`,
    );
    command.addOption(option.argParser(collect).hideHelp());
  }
}

export function readFilterFlags(
  options: Readonly<Record<string, unknown>>,
  of?: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    selected(of).flatMap((option) => {
      const values = option.flags.flatMap((flag) => options[optionKey(flag)] ?? []);
      return values.length === 0 ? [] : [[option.name, parsedValue(option, values)]];
    }),
  );
}

const selected = (of?: readonly string[]): readonly FilterOption[] =>
  FILTER_OPTIONS.filter(({ name }) => of === undefined || of.includes(name));

const collect = (value: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  value,
];

function parsedValue(
  { isList, isSwitch, flags }: FilterOption,
  values: readonly unknown[],
): unknown {
  if (isSwitch) return values.includes(true);
  if (!isList) return values[0];
  return parseField("list", values.join(","), flags[0] ?? "");
}

function optionKey(flag: string): string {
  return flag
    .replace(/^-+/, "")
    .replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
