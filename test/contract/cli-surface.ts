import { PassThrough, Readable } from "node:stream";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import type { Operation } from "../../src/memory/index.ts";
import { silentLogger } from "../../src/shared/logger.ts";
import { backendVariables } from "../support/test-backend.ts";
import type { Input, Outcome, Surface, SurfaceSetup } from "./surface.ts";

export function cliSurface(ground: SurfaceSetup): Surface {
  return {
    name: "CLI",
    async call(operation, input) {
      const line = commandOf(operation, input);
      return line === undefined ? undefined : run(ground, line);
    },
    close: async () => undefined,
  };
}

interface Line {
  readonly args: readonly string[];
  readonly stdin: string;
}

/** Undefined if the operation has no command. */
export function commandOf(operation: Operation, input: Input): Line | undefined {
  if (operation.name === "apply") return applyLine(input);
  const { command, positionals = [] } = operation.cli ?? {};
  if (command === false) return undefined;
  const names = positionals.map((name) => name.replace("...", ""));
  const options = Object.entries(input)
    .filter(([field]) => !names.includes(field))
    .map(([field, value]) => optionOf(field, value));
  const places = names.filter((name) => input[name] !== undefined);
  const words = places.flatMap((name) => wordsOf(input[name]));
  const name = command ?? operation.name.replaceAll("_", "-");
  return { args: [name, ...options, "--json", "--", ...words], stdin: "" };
}

function applyLine({ changeset, dry_run: dryRun, idempotency_key: key }: Input): Line {
  const options = [
    ...(dryRun === true ? ["--dry-run"] : []),
    ...(key === undefined ? [] : [`--idempotency-key=${key}`]),
  ];
  return { args: ["apply", "-", "--json", ...options], stdin: String(changeset) };
}

function optionOf(field: string, value: unknown): string {
  const name = field.replaceAll("_", "-");
  if (value === true) return `--${name}`;
  if (value === false) return `--no-${name}`;
  return `--${name}=${Array.isArray(value) ? value.join(",") : textOf(value)}`;
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function run(ground: SurfaceSetup, { args, stdin }: Line): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  stderr.resume();
  const printed = textFrom(stdout);
  const code = await runCommandLine(args, {
    env: {
      HOME: ground.dataDir,
      ...backendVariables(ground.dataDir),
      CAIRN_EMBEDDING_PROVIDER: "none",
      // Off, because the surface name would differ in the recall log.
      CAIRN_RECALL_LOG: "off",
      CAIRN_LAYERS: (ground.layers ?? []).join(),
    },
    cwd: ground.dataDir,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    logger: silentLogger,
    furtherOperations: [],
  });
  stdout.end();
  return outcomeOf(code, await printed);
}

export function outcomeOf(code: number, text: string): Outcome {
  if (code === 0) return { output: JSON.parse(text) };
  // The option parser reports errors without JSON.
  if (text.includes("internal")) throw new Error(text);
  if (text.trim() === "") return { error: { code: "invalid_input" } };
  const answer = JSON.parse(text);
  // A partial failure is visible only in the exit code.
  return "code" in (answer.error ?? {}) ? answer : { output: answer };
}

async function textFrom(stream: PassThrough): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}
