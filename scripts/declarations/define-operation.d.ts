/** As much of an operation as a program that imports the package needs to know. */
export interface Operation<
  Name extends string = string,
  Input = unknown,
  Output = unknown,
  // biome-ignore lint/correctness/noUnusedVariables: keeps its place in the list
  Prepared = unknown,
> {
  /** As the reference has it; also the name of the MCP tool. */
  readonly name: Name;
  /** One line: what it does. */
  readonly summary: string;
  readonly kind: "read" | "write";
  /** Zod schemas. */
  readonly input: Input;
  readonly output: Output;
}
