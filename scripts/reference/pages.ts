/** A file of the repository that is derived from the code, and must be as fresh as it. */
export interface Page {
  readonly file: string;
  render(): Promise<string>;
}

const operations = async () => (await import("../../src/memory/index.ts")).createOperations();

/** Each page loads what it needs by itself: a build asks for the first alone. */
export const pages: readonly Page[] = [
  {
    // The table from which `cairn --help` lists the operations without loading them.
    file: "src/cli/operation-summaries.ts",
    render: async () => (await import("./operation-summaries.ts")).operationSummariesSource(),
  },
  {
    // The routes by which the page calls the operations.
    file: "src/web/data/routes.ts",
    render: async () => (await import("./web-routes.ts")).webRoutesSource(await operations()),
  },
  {
    // The forms in which the page writes.
    file: "src/web/data/forms.ts",
    render: async () => (await import("./web-forms.ts")).webFormsSource(await operations()),
  },
  {
    file: "src/web/data/form-names.ts",
    render: async () => (await import("./web-forms.ts")).webFormNamesSource(await operations()),
  },
  {
    file: "src/cli/filter-options.ts",
    render: async () => (await import("./filter-options.ts")).filterOptionsSource(),
  },
  {
    file: "src/web/data/filters.ts",
    render: async () => (await import("./filter-options.ts")).webFiltersSource(),
  },
  {
    // What compares vectors, signs and tokens by vector instructions.
    file: "src/memory/search/simd/wasm-modules.ts",
    render: async () => (await import("./wasm-modules.ts")).wasmModulesSource(),
  },
  {
    file: "site/.vitepress/theme/changeset-forms.json",
    render: async () =>
      (await import("./changeset-forms.ts")).changesetFormsJson(await operations()),
  },
  {
    file: "docs/reference/cli.md",
    render: async () => (await import("./cli.ts")).cliReference(),
  },
  {
    file: "docs/reference/operations.md",
    render: async () => (await import("./operations.ts")).renderOperations(await operations()),
  },
  {
    file: "docs/reference/changeset.md",
    render: async () => (await import("./changeset.ts")).renderChangeset(await operations()),
  },
  {
    file: "docs/reference/slash-commands.md",
    render: async () =>
      (await import("./slash-commands.ts")).renderSlashCommands(
        (await import("../../src/agent/slash-commands/registry.ts")).slashCommands,
      ),
  },
  {
    file: "docs/reference/rest.md",
    render: async () => (await import("./rest.ts")).renderRest(await operations()),
  },
  {
    file: "docs/reference/mcp.md",
    render: async () => (await import("./mcp.ts")).renderMcp(await operations()),
  },
  {
    file: "docs/reference/settings.md",
    render: async () => (await import("./settings.ts")).renderSettings(),
  },
  {
    file: "docs/reference/ui-protocol.md",
    render: async () => (await import("./ui-protocol.ts")).renderUiProtocol(),
  },
];
