import {
  type ExecuteOptions,
  type MemoryEngine,
  type Operation,
  SHOWN_BY_DEFAULT,
  validateInput,
} from "../../memory/index.ts";
import { OWNER } from "../../shared/caller.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { CliCommand, CommandGroup } from "../cli-command.ts";
import { completeIds } from "../complete-ids.ts";
import { EXIT } from "../exit-code.ts";
import { withMemory } from "../open-app.ts";
import { printResult } from "../render/print-result.ts";
import { withProgress } from "../render/progress.ts";
import type { RecordForm } from "../render/write-records.ts";
import { configure, describeFields, isListCommand } from "./command-fields.ts";
import { checkGiven, readIds, readInput, readTexts } from "./command-input.ts";

/** The command of an operation, or undefined when it has none. */
export function operationCommand(operation: Operation): CliCommand | undefined {
  const { command, positionals = [], example, aliases, shelf } = operation.cli ?? {};
  if (command === false) return undefined;
  const name = command ?? operation.name.replaceAll("_", "-");
  const fields = describeFields(operation, positionals);
  return {
    name,
    reader: "person",
    summary: operation.summary,
    ...(aliases !== undefined && { aliases }),
    ...(shelf !== undefined && { shelf }),
    group: groupOf(operation),
    example: example ?? `cairn ${name}`,
    configure: (sub) => configure(sub, operation, fields),
    async run(line, args, options) {
      const words = await readIds(line, operation, args);
      const input = await readTexts(line, fields, {
        ...operation.cli?.defaults,
        ...readInput(operation, fields, { words, options }),
      });
      return withMemory(line, options, async (memory, app) => {
        const given = await completeIds(memory, fields, input);
        checkGiven(operation, fields, given);
        const { session } = app.config.settings;
        const output = await withProgress(line, (onProgress) =>
          execute(memory, operation, {
            input: given,
            options: {
              signal: line.signal,
              onProgress,
              surface: "cli",
              most: SHOWN_BY_DEFAULT,
              ...(session !== undefined && { session }),
              ...(line.once !== undefined && { once: line.once() }),
            },
          }),
        );
        const database = app.config.database.by === "default" ? undefined : memory.name;
        const asJson = options.json === true;
        await printResult(line, {
          output: asJson
            ? withoutOmitted(operation, output)
            : await withBeside(memory, operation, output),
          asJson,
          text: textFor(operation, given, output),
          database,
          isSentence: operation.confirm !== undefined,
          pager: options.pager !== false,
          form: formOf(operation, options),
        });
        return failedSections(output) ? EXIT.failed : undefined;
      });
    },
  };
}

/** Several ids become one changeset, so that either all are done or none. */
function execute(
  memory: MemoryEngine,
  operation: Operation,
  { input, options }: { readonly input: Record<string, unknown>; readonly options: ExecuteOptions },
): Promise<unknown> {
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (!Array.isArray(ids))
    return memory.executeNamed(operation.name, input, { caller: OWNER, ...options });
  const op = operation.changeset?.op ?? operation.name;
  const ops = ids.map((id) => ({ op, ...input, [each]: id }));
  return memory.execute("apply", { changeset: JSON.stringify(ops) }, options);
}

function groupOf(operation: Operation): CommandGroup {
  return operation.cli?.group ?? (operation.kind === "write" ? "Corrections" : "Inspection");
}

/** The operation's own text for its answer, for a pipe or as a sentence. */
function textFor(
  operation: Operation,
  input: Record<string, unknown>,
  output: unknown,
): string | undefined {
  // An explained answer is shown in full, through a pipe too.
  if (isPlainObject(output) && "explain" in output) return undefined;
  if (operation.confirm === undefined) return operation.present?.(output).text;
  const each = operation.cli?.each ?? "";
  const ids = input[each];
  if (Array.isArray(ids)) return operation.confirm({ ...input, [each]: ids.join(", ") }, output);
  return operation.confirm(validateInput(operation.input, input, operation.name), output);
}

/** Lists can be written for other programs. */
function formOf({ cli }: Operation, options: Readonly<Record<string, unknown>>): RecordForm {
  if (!isListCommand(cli)) return {};
  const { oneline, csv, columns, format } = options;
  return {
    oneline: oneline === true,
    csv: csv === true,
    columns: typeof columns === "string" ? columns : undefined,
    format: typeof format === "string" ? format : undefined,
  };
}

async function withBeside(
  memory: MemoryEngine,
  { cli }: Operation,
  output: unknown,
): Promise<unknown> {
  if (cli?.beside === undefined || !isPlainObject(output)) return output;
  const { operation, input, tell } = cli.beside;
  const answer = await memory.executeNamed(operation, input, { caller: OWNER });
  const shown = tell === undefined ? answer : tell(answer);
  return shown === undefined ? output : { ...output, [operation]: shown };
}

function withoutOmitted(operation: Operation, output: unknown): unknown {
  const omit = operation.cli?.omit ?? [];
  if (omit.length === 0 || !isPlainObject(output)) return output;
  return Object.fromEntries(Object.entries(output).filter(([name]) => !omit.includes(name)));
}

function failedSections(output: unknown): boolean {
  return (
    isPlainObject(output) &&
    Object.values(output).some(
      (part) => isPlainObject(part) && Object.keys(part).length === 1 && isErrorBody(part.error),
    )
  );
}

function isErrorBody(value: unknown): boolean {
  return (
    isPlainObject(value) && typeof value.code === "string" && typeof value.message === "string"
  );
}
