/** Work that a person starts from the client's menu. One file each. */
export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is asked; values by name of the argument. */
  text(values: Readonly<Record<string, string>>): string;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}
