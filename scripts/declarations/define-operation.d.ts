/** Public part of an operation's type. */
export interface Operation<
  Name extends string = string,
  Input = unknown,
  Output = unknown,
  // biome-ignore lint/correctness/noUnusedVariables: keeps its place in the list
  Prepared = unknown,
> {
  /** Name in the reference and of the MCP tool. */
  readonly name: Name;
  /** One-line description. */
  readonly summary: string;
  readonly kind: "read" | "write";
  /** Zod schemas. */
  readonly input: Input;
  readonly output: Output;
}
