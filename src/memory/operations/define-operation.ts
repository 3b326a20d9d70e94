import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { AccessScope } from "../../shared/caller.ts";
import type { ChangesetExposure } from "../changeset/changeset-form.ts";
import type { SuggestionKind } from "../listing/suggest.ts";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { OperationContext } from "./operation-context.ts";

/** Single definition of an operation, from which all interfaces and docs are derived. */
export interface Operation<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Prepared = unknown,
> {
  /** snake_case; name of the MCP tool and the typed call. */
  readonly name: Name;
  readonly summary: string;
  readonly description?: string;
  describe?(operations: readonly Operation[]): string;
  /** A read uses one snapshot; a write is one transaction with its events. */
  readonly kind: "read" | "write";
  readonly input: Input;
  readonly output: Output;
  /** Operation name shared by all forms (`defineForm`). */
  readonly formOf?: string;
  /** Input field with the item's id, for `if_match`. */
  readonly target?: string;
  /** Returns the ids of written items for `if_match` if there is no `target`. */
  writes?(tx: Tx, input: z.output<Input>): Promise<readonly string[]>;
  readonly needs?: AccessScope;
  /** Requires rewriting the file after the commit to erase deleted data. */
  readonly erases?: true;
  readonly onlyTakesAway?: true;
  readonly ofRecallLog?: true;
  readonly mcp?: McpExposure;
  /** false: no route, because `POST /apply` or another route does the same. */
  readonly rest?: RestExposure | false;
  readonly cli?: CliExposure;
  readonly agentTool?: string;
  /**
   * One-sentence confirmation for the terminal. With `cli.each`, several writes are confirmed
   * together: their ids are joined and `output` is missing.
   */
  confirm?(input: z.output<Input>, output: z.output<Output>): string;
  /** `input` is the caller's input before validation. */
  present?(output: z.output<Output>, input: Readonly<Record<string, unknown>>): Presentation;
  readonly changeset?: ChangesetExposure;
  /** Slow or model work before the transaction, without locks; its result is `context.prepared`. */
  prepare?(context: PrepareContext, input: z.output<Input>): Promise<Prepared>;
  run(context: OperationContext<Prepared>, input: z.output<Input>): Promise<z.output<Output>>;
  /** Batch version of `run` for consecutive ops: the same results in order at lower cost. */
  runTogether?(
    context: OperationContext<Prepared>,
    inputs: readonly z.output<Input>[],
  ): Promise<z.output<Output>[]>;
}

export interface Presentation {
  /** Full text for a model or a pipe; default: JSON. */
  readonly text?: string;
  readonly summary: string;
}

export interface McpExposure {
  /** MCP interfaces with this tool; false: none. Default: all. */
  readonly interfaces?: readonly ("a" | "b")[] | false;
  readonly onlyFor?: AccessScope;
  /** Offers the tool only if there are outer layers, to save tokens elsewhere. */
  readonly onlyWithLayers?: true;
  readonly fieldsOfB?: readonly string[];
  readonly hiddenFields?: readonly string[];
  /** Fields accepted from programs but hidden from models. */
  readonly fieldsOfPrograms?: readonly string[];
  readonly plainFields?: readonly string[];
  readonly textDefaults?: Readonly<Record<string, unknown>>;
  /** When a model should call it; replaces the summary. */
  readonly purpose?: string;
  readonly detail?: string;
  /** Clients with deferred tools should load this one immediately. */
  readonly alwaysLoad?: boolean;
  /** Search terms for clients with deferred tools. */
  readonly searchHint?: string;
  readonly core?: boolean;
  links?(output: unknown): readonly ResourceLink[];
  readonly resources?: readonly McpResource[];
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
}

export interface ResourceLink {
  readonly uri: string;
  readonly title: string;
}

export interface McpResource {
  /** First part of the URI: `memory://<name>`, `memory://<name>/{argument}`. */
  readonly name: string;
  readonly summary: string;
  readonly argument?: {
    readonly name: string;
    readonly optional: boolean;
    readonly suggests?: SuggestionKind;
  };
  input(argument: string | undefined): object;
  /** Selects the resource from the operation's output; throws if it is unreadable. */
  pick(output: unknown): unknown;
}

export interface RestExposure {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Relative to `/api/v1`; `{field}` binds an input field. Default: `POST /<name with dashes>`. */
  readonly path: string;
  /** Accepting `text/event-stream` subscribes to the change feed from `since_seq`. */
  readonly stream?: boolean;
}

export interface CliExposure {
  /**
   * One word, or noun and verb (`topic create`); default: the name with dashes; false: no command.
   */
  readonly command?: string | false;
  readonly group?: "Memory" | "Corrections" | "Inspection";
  readonly aliases?: readonly string[];
  readonly shelf?: "start" | "everyday";
  readonly short?: Readonly<Record<string, string>>;
  /** Positional input fields in order; the last may be variadic (`ids...`). */
  readonly positionals?: readonly string[];
  readonly each?: string;
  /** Positional fields also accepted as a single `key=value`. */
  readonly pair?: readonly [string, string];
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly omit?: readonly string[];
  readonly companion?: {
    readonly operation: string;
    readonly input: object;
    /** Replaces the printed result; undefined: prints nothing. */
    readonly describe?: (answer: unknown) => string | undefined;
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
