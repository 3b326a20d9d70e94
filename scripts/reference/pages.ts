/** A file of the repository that is generated from the code and checked for freshness. */
export interface Page {
  readonly file: string;
  render(): Promise<string>;
}

const operations = async () => (await import("../../src/memory/index.ts")).createOperations();

/** Each page imports its dependencies lazily: the build generates only the first. */
export const pages: readonly Page[] = [
  {
    // Lists the operations for `cairn --help` without loading them.
    file: "src/cli/operation-summaries.ts",
    render: async () => (await import("./operation-summaries.ts")).renderOperationSummaries(),
  },
  {
    // Routes by which the page calls operations.
    file: "src/web/data/routes.ts",
    render: async () => (await import("./web-routes.ts")).renderWebRoutes(await operations()),
  },
  {
    // Forms with which the page writes.
    file: "src/web/data/forms.ts",
    render: async () => (await import("./web-forms.ts")).renderWebForms(await operations()),
  },
  {
    file: "src/web/data/form-names.ts",
    render: async () => (await import("./web-forms.ts")).renderWebFormNames(await operations()),
  },
  {
    file: "src/cli/filter-options.ts",
    render: async () => (await import("./filter-options.ts")).renderFilterOptions(),
  },
  {
    file: "src/web/data/filters.ts",
    render: async () => (await import("./filter-options.ts")).renderWebFilters(),
  },
  {
    // SIMD kernels that compare vectors, sign bits and token vectors.
    file: "src/memory/search/simd/wasm-modules.ts",
    render: async () => (await import("./wasm-modules.ts")).renderWasmModules(),
  },
  {
    file: "site/.vitepress/theme/changeset-forms.json",
    render: async () =>
      (await import("./changeset-forms.ts")).renderChangesetForms(await operations()),
  },
  {
    file: "docs/reference/cli.md",
    render: async () => (await import("./cli.ts")).renderCli(),
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
