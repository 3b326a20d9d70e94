import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { AccessScope } from "../../shared/caller.ts";
import type { ChangesetExposure } from "../changeset/changeset-form.ts";
import type { SuggestionKind } from "../listing/suggest.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { OperationContext } from "./operation-context.ts";

/**
 * The single definition from which MCP tool, changeset op, command, REST route, OpenAPI and
 * reference page are derived.
 */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Prepared = unknown,
> {
  /** snake_case; the name of the MCP tool and of the typed call. */
  readonly name: Name;
  /** One line, without a full stop at the end of a list: what it does, for help and docs. */
  readonly summary: string;
  readonly description?: string;
  describe?(operations: readonly Operation[]): string;
  /** A read sees one snapshot and changes nothing; a write is one transaction with its events. */
  readonly kind: "read" | "write";
  readonly input: Input;
  readonly output: Output;
  /** Of a form of an operation (`defineForm`): the name that all of its forms share. */
  readonly formOf?: string;
  /** The field of its input that names the item which it writes or reads, for `if_match`. */
  readonly target?: string;
  /** The ids of the items which it writes, for `if_match`, where no field names the only one. */
  writes?(tx: Tx, input: z.output<Input>): Promise<readonly string[]>;
  readonly needs?: AccessScope;
  /** Deleted data must leave no trace: the file is rewritten after the commit. */
  readonly erases?: true;
  readonly onlyTakesAway?: true;
  readonly ofRecallLog?: true;
  readonly mcp?: McpExposure;
  readonly rest?: RestExposure;
  readonly cli?: CliExposure;
  /** Offers it to the agent as a tool of this name. */
  readonly agentTool?: string;
  /**
   * Confirmation for the shell, one sentence. `output` is missing if several were written
   * (`cli.each`), whose ids are then one text.
   */
  confirm?(input: z.output<Input>, output: z.output<Output>): string;
  /** `input` is as the caller gave it, before validation. */
  present?(output: z.output<Output>, input: Readonly<Record<string, unknown>>): Presentation;
  /** How it reads in a changeset; without it `apply` does not offer it. */
  readonly changeset?: ChangesetExposure;
  /**
   * Slow or model work before the transaction, outside of any lock; its result is
   * `context.prepared`.
   */
  prepare?(context: PrepareContext, input: z.output<Input>): Promise<Prepared>;
  run(context: OperationContext<Prepared>, input: z.output<Input>): Promise<z.output<Output>>;
  /** The same as `run` for each input in order, at less cost: `apply` uses it for ops in a row. */
  runTogether?(
    context: OperationContext<Prepared>,
    inputs: readonly z.output<Input>[],
  ): Promise<z.output<Output>[]>;
}

/** An answer for a reader. */
export interface Presentation {
  /** The whole answer, for a model or a pipe; default: its JSON. */
  readonly text?: string;
  readonly summary: string;
}

export interface McpExposure {
  /** false: reachable only through `apply` or other surfaces. Default: every interface. */
  readonly interfaces?: readonly ("a" | "b")[] | false;
  readonly onlyFor?: AccessScope;
  /** A tool only where there are layers behind the memory: elsewhere it would cost for nothing. */
  readonly onlyWithLayers?: true;
  /** Fields that only interface B shows. */
  readonly fieldsOfB?: readonly string[];
  /** Fields that only other surfaces show. */
  readonly hiddenFields?: readonly string[];
  /** Fields that are taken, but not shown to a model: programs give them. */
  readonly fieldsOfPrograms?: readonly string[];
  readonly plainFields?: readonly string[];
  readonly textDefaults?: Readonly<Record<string, unknown>>;
  /** When a model should call it, in place of the summary. */
  readonly purpose?: string;
  readonly detail?: string;
  /** A client that loads tools on demand should have this one at once. */
  readonly alwaysLoad?: boolean;
  /** Words with which a client that loads tools on demand finds this one. */
  readonly searchHint?: string;
  /** Member of the small tool set. */
  readonly core?: boolean;
  links?(output: unknown): readonly ResourceLink[];
  /** Parts of its answer that a client may read as resources. */
  readonly resources?: readonly McpResource[];
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

export interface ResourceLink {
  /** `memory://concept/…` */
  readonly uri: string;
  readonly title: string;
}

export interface McpResource {
  /** First part of its URI: `memory://<name>`, `memory://<name>/{argument}`. */
  readonly name: string;
  readonly summary: string;
  readonly argument?: {
    readonly name: string;
    readonly optional: boolean;
    /** The kind of `suggest` that completes it. */
    readonly suggests?: SuggestionKind;
  };
  input(argument: string | undefined): object;
  /** The resource in the operation's output. Throws what keeps it from being read. */
  pick(output: unknown): unknown;
}

export interface RestExposure {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`; `{field}` binds a field of the input. Default: `POST /<name with dashes>`. */
  readonly path: string;
  /** Who accepts `text/event-stream` gets the change feed from `since_seq` on, as it is written. */
  readonly stream?: boolean;
}

export interface CliExposure {
  /**
   * One word, or a noun and a verb (`topic create`, `list labels`); default: the name with dashes.
   * false: no command of its own.
   */
  readonly command?: string | false;
  readonly group?: "Memory" | "Corrections" | "Inspection";
  readonly aliases?: readonly string[];
  readonly shelf?: "start" | "everyday";
  /** Letters of short options by field, where the field itself has none. */
  readonly short?: Readonly<Record<string, string>>;
  /** Fields of the input that are positional, in order; the last may be variadic (`ids...`). */
  readonly positionals?: readonly string[];
  readonly each?: string;
  /** Positional fields that are also written as one word, `key=value`. */
  readonly pair?: readonly [string, string];
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly omit?: readonly string[];
  readonly beside?: {
    readonly operation: string;
    readonly input: object;
    /** What is said of that answer in its place; undefined: nothing. */
    readonly tell?: (answer: unknown) => string | undefined;
  };
  readonly example?: string;
}

/** Preserves the literal name and the types of input, output and prepared value. */
export function defineOperation<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Prepared = unknown,
>(operation: Operation<Name, Input, Output, Prepared>): Operation<Name, Input, Output, Prepared> {
  return operation;
}

export function scopeOfOperation({ kind, erases, needs }: Operation): AccessScope {
  if (needs !== undefined) return needs;
  if (kind === "read") return "read";
  return erases === true ? "admin" : "write";
}
