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
    render: async () => (await import("./operation-summaries.ts")).operationSummariesSource(),
  },
  {
    // Routes by which the page calls operations.
    file: "src/web/data/routes.ts",
    render: async () => (await import("./web-routes.ts")).webRoutesSource(await operations()),
  },
  {
    // Forms with which the page writes.
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
    // SIMD kernels that compare vectors, sign bits and token vectors.
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
