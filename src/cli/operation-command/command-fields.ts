import { type Command, Option } from "commander";
import {
  type FieldKind,
  fieldDefault,
  fieldKind,
  isRequired,
  type Operation,
} from "../../memory/index.ts";
import { FIELD_DESCRIPTIONS } from "../../memory/presentation/index.ts";
import { getMeta, type IdKind, unwrapField } from "../../shared/fields.ts";
import { OtherName } from "./other-name.ts";

/** Help texts of fields whose schema has no description. */
const WORDS: Readonly<Record<string, string>> = {
  action: "what to do with them",
  cluster_id: "id of a cluster of facts",
  concept: "id of the concept",
  concept_id: "id of the concept",
  conflict_id: "id of the conflict, e.g. conflict:1",
  content: "the new text",
  context: "evidence of the relation",
  description: "summary in one sentence",
  entities: "entities, e.g. tool:redis,person:Ada",
  entity_id: "an entity, e.g. tool:redis",
  entity_type: "only entities of this type, e.g. person",
  episode: "id of the episode, e.g. ep:3",
  episode_id: "id of the episode, e.g. ep:3",
  episode_type: "its type, e.g. decision",
  fact_a: "id of one fact, e.g. fact:3",
  fact_b: "id of the other, e.g. fact:4",
  fact_id: "id of the fact, e.g. fact:3",
  from: "id of the source concept",
  id: "id of the item, e.g. ep:3",
  k: "maximum number",
  key: "key of the label",
  kind: "only of this kind",
  labels: "labels, e.g. area=payments,status=done",
  limit: "maximum number",
  name: "its name",
  note: "why, in a sentence",
  occurred_at: "when it happened: an ISO date or time",
  page: "which page, from 1",
  prefix: "prefix of the value",
  reason: "why, in a sentence",
  relations: "relations to other concepts, as JSON",
  session: "only of this session",
  severity: "severity",
  show_relations: "with relations to other entities",
  status: "only of this status",
  strength: "how strong it is, from 0 to 1",
  subject_type: "only labels of episodes, or of concepts",
  summary: "text in a few sentences",
  tags: "keywords, separated by commas",
  title: "its title",
  to: "id of the target concept",
  topic: "id or name of the topic",
  topic_id: "id of the topic",
  value: "value of the label",
};

const CONCEPT_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = { id: "id of the concept" };

function describeFieldName(name: string, names: IdKind | undefined): string {
  return (names === "concept" ? CONCEPT_FIELD_DESCRIPTIONS[name] : undefined) ?? WORDS[name] ?? "";
}

/** An operation's input field as a command-line option or argument. */
export interface CommandField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  readonly longText: boolean;
  readonly short: string | undefined;
  readonly singular: string | undefined;
  /**
   * Alias of an option: its name in records (`--type` for `--episode-type`), or its letter if the
   * short form differs (`-k`, short form `-n`).
   */
  readonly otherName: string | undefined;
  readonly names: IdKind | undefined;
  readonly initial: unknown;
  /** Index of a positional argument, from 0. */
  readonly position: number | undefined;
  readonly variadic: boolean;
}

/** Describes an operation's fields; positional ones have an index. */
export function describeFields(
  operation: Operation,
  positionals: readonly string[],
): CommandField[] {
  const names = positionals.map((text) => text.replace("...", ""));
  return Object.entries(operation.input.shape).map(([name, schema]) => {
    const position = names.indexOf(name);
    const short = getMeta(schema).short ?? operation.cli?.short?.[name];
    return {
      name,
      kind: fieldKind(schema),
      description: describeField(schema) || describeFieldName(name, getMeta(schema).names),
      required: isRequired(schema),
      longText: getMeta(schema).longText ?? false,
      names: getMeta(schema).names,
      singular: getMeta(schema).queryLabel,
      otherName:
        displayedName(name, operation) ?? (name.length === 1 && short !== name ? name : undefined),
      short,
      initial: fieldDefault(schema),
      position: position < 0 ? undefined : position,
      variadic: positionals[position]?.endsWith("...") ?? false,
    };
  });
}

function displayedName(field: string, { input }: Operation): string | undefined {
  const name =
    field in FIELD_DESCRIPTIONS
      ? FIELD_DESCRIPTIONS[field as keyof typeof FIELD_DESCRIPTIONS].name
      : field;
  const isFree = name !== field && !name.includes(" ") && !(name in input.shape);
  return isFree ? name : undefined;
}

/** Also reads the description inside an optional schema. */
function describeField(schema: unknown): string {
  for (const one of [schema, unwrapField(schema)]) {
    const description = isObject(one) && "description" in one ? one.description : undefined;
    if (typeof description === "string") return description;
  }
  return "";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function configure(
  command: Command,
  { cli = {} }: Operation,
  fields: readonly CommandField[],
): void {
  const positional = fields
    .filter((field) => field.position !== undefined)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  if (cli.each !== undefined) {
    const rest = cli.pair === undefined ? "" : ` <${cli.pair.join("=")}>`;
    command.argument(
      `<${toDashed(cli.each)}s...>`,
      `ids, or - to read them from standard input${rest}`,
    );
    command.usage(`[options] <${toDashed(cli.each)}...>${rest}`);
  }
  for (const { name, required, variadic, description, longText, position } of cli.each === undefined
    ? positional
    : []) {
    const argumentName = `${toDashed(name)}${variadic ? "..." : ""}`;
    const isOptional = !required || (longText && position === 0);
    command.argument(isOptional ? `[${argumentName}]` : `<${argumentName}>`, description);
  }
  for (const field of fields) {
    if (field.position === undefined) addOption(command, field);
  }
  if (isListCommand(cli)) {
    command
      .option("--oneline", "one record a line")
      .option("--csv", "CSV with a header")
      .option("--columns <names>", "these fields only, e.g. id,title")
      .option("--format <text>", "template with fields, e.g. '{id} {title}'");
  }
}

export function isListCommand(cli: Operation["cli"]): boolean {
  return typeof cli?.command === "string" && cli.command.startsWith("list ");
}

function addOption(command: Command, field: CommandField): void {
  const flag = `${field.short === undefined ? "" : `-${field.short}, `}--${toDashed(field.name)}`;
  const initial =
    field.initial === undefined || field.initial === "" ? "" : ` (default: ${field.initial})`;
  const must = field.required ? " (required)" : "";
  const description = `${field.description}${initial}${must}`.trim();
  if (field.kind === "boolean") {
    command.option(field.initial === true ? `--no-${toDashed(field.name)}` : flag, description);
  } else if (isList(field)) {
    const collect = (value: string, former: string[] = []) => [...former, value];
    command.option(`${flag} <list>`, description, collect);
    if (field.singular === undefined) return;
    const summary = `Like --${toDashed(field.name)}, with a single value; repeatable.`;
    const singular = new Option(`--${toDashed(field.singular)} <entry>`, summary).argParser(
      collect,
    );
    command.addOption(singular.hideHelp());
  } else {
    command.option(`${flag} <${field.kind}>`, description);
    if (field.otherName === undefined) return;
    const dashes = field.otherName.length === 1 ? "-" : "--";
    const other = `${dashes}${field.otherName} <${field.kind}>`;
    command.addOption(new OtherName(other, toDashed(field.name)));
  }
}

/** True if the option may be repeated. */
export function isList({ kind }: CommandField): boolean {
  return kind === "list" || kind === "textList";
}

export function toDashed(name: string): string {
  return name.replaceAll("_", "-");
}
