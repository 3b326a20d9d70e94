/** Work that a person starts from the client's menu. One file each. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is asked, given the values by name of the argument and the tools it has. */
  text(values: Readonly<Record<string, string>>, tools: ReadonlySet<string>): string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Kinds of `suggest` that complete it. */
  readonly suggests?: string;
}
