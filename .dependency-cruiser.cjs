const { readdirSync } = require("node:fs");
const { join } = require("node:path");

/** Modules and the modules each may import from. Every module may import from `shared`. */
const MODULES = {
  shared: [],
  database: [],
  embedding: [],
  access: ["database"],
  "access/identity": ["access", "database", "server/http"],
  config: [
    ...["access/identity", "agent", "app/daemon", "database", "deciding", "embedding"],
    ...["ingest/learning", "ingest/repository", "ingest/sources", "llm", "memory"],
    ...["server/http", "server/mcp", "server/rest", "server/ui", "terminal"],
  ],
  clients: [],
  "clients/connect": ["clients"],
  memory: ["database", "embedding"],
  "ingest/learning": ["memory"],
  "ingest/capture": ["memory", "ingest/learning"],
  "ingest/sources": ["memory", "ingest/capture", "ingest/learning", "database"],
  "ingest/importers": ["memory", "database"],
  "ingest/exporters": ["memory"],
  "ingest/review": ["memory", "ingest/sources"],
  "ingest/repository": ["memory"],
  deciding: ["memory"],
  llm: [],
  agent: ["llm", "memory", "ingest/capture", "ingest/learning", "ingest/sources"],
  "server/http": [],
  "server/rest": ["access", "access/identity", "memory", "server/http", "ingest/importers"],
  "server/mcp": ["memory", "server/http"],
  "server/metrics": ["memory", "server/http"],
  "server/page": ["server/http"],
  "server/ui": ["server/http", "agent"],
  "server/acp": ["agent"],
  client: ["server/ui"],
  terminal: ["agent"],
  web: ["client"],
  "app/daemon": [],
  "app/library": ["memory", "embedding", "app", "database"],
  app: [
    ...["access", "access/identity", "agent", "app/daemon", "audit", "config", "database"],
    ...["deciding", "embedding", "ingest/capture", "ingest/learning", "ingest/sources", "llm"],
    ...["memory", "server/acp", "server/http", "server/mcp", "server/metrics"],
    ...["server/page", "server/rest", "server/ui"],
  ],
};

/** Modules of which only types may be imported, in addition to `memory/presentation`. */
const TYPES_ONLY = { terminal: ["memory"], web: ["memory", "server/rest", "server/ui"] };

/** Files other than `index.ts` and `settings.ts` that other modules may import. */
const FURTHER_ENTRY_POINTS = [
  "^src/config/paths\\.ts$",
  "^src/memory/completion\\.ts$",
  // Constants without the engine, for the worker of imports.
  "^src/memory/(episodes/episode-types|input/parse-entity)\\.ts$",
  "^src/memory/presentation/index\\.ts$",
];

/** Folders of a module, lowest layer first: a folder imports from its own and lower layers. */
const LAYERS = {
  memory: [
    ["language"],
    ["input", "commands"],
    ["events"],
    ["context"],
    ["totals"],
    [
      ...["episodes", "facts", "concepts", "conflicts", "entities", "labels", "topics", "sources"],
      "proposals",
    ],
    ["mistakes"],
    ["items", "stats", "search"],
    ["filters", "presentation"],
    ["recall"],
    [
      ...["listing", "snapshot", "changeset", "history", "purge", "secrets"],
      ...["recall-log", "digest"],
    ],
    ["learned"],
    ["tidying", "promotion", "retention"],
    ["operations"],
    ["maintenance", "briefing", "layers"],
  ],
  agent: [
    ["processes"],
    ["ports"],
    ["documents", "edits", "images"],
    ["files"],
    ["tools"],
    ["audit"],
    ["permission", "checkpoints"],
    ["worktrees"],
    ["diagnostics", "hooks", "sandbox", "confinement", "broker", "web", "mcp-servers", "subagents"],
    ["loop", "prompt"],
    ["tasks", "export", "why"],
    ["run"],
    ["slash-commands"],
    ["threads"],
  ],
};

/** Paths of a module's files, without those of modules nested in it. */
function filesOf(module) {
  const nested = Object.keys(MODULES).filter((other) => other.startsWith(`${module}/`));
  return {
    path: `^src/${module}/`,
    ...(nested.length > 0 ? { pathNot: `^src/(${nested.join("|")})/` } : {}),
  };
}

const moduleRules = Object.entries(MODULES).map(([module, mayImport]) => ({
  name: `module-${module}`,
  comment: `${module} may import only from: ${["shared", ...mayImport].join(", ")}`,
  severity: "error",
  from: filesOf(module),
  to: {
    path: Object.keys(MODULES)
      .filter(
        (other) => ![module, "shared", ...mayImport, ...(TYPES_ONLY[module] ?? [])].includes(other),
      )
      .map((other) => `^src/${other}/${nestedGuard(other)}`)
      .join("|"),
  },
}));

function nestedGuard(module) {
  const nested = Object.keys(MODULES)
    .filter((other) => other.startsWith(`${module}/`))
    .map((other) => other.slice(module.length + 1));
  return nested.length > 0 ? `(?!(${nested.join("|")})/)` : "";
}

const entryPointRules = Object.keys(MODULES)
  .filter((module) => module !== "shared")
  .map((module) => ({
    name: `entry-point-${module}`,
    comment: `${module} is imported through its index.ts, or its settings.ts`,
    severity: "error",
    from: { path: "^src/", pathNot: `^src/${module}/${nestedGuard(module)}` },
    to: {
      path: `^src/${module}/${nestedGuard(module)}.+`,
      pathNot: [`^src/${module}/(index|settings)\\.ts$`, ...FURTHER_ENTRY_POINTS],
    },
  }));

const layerRules = Object.entries(LAYERS).flatMap(([module, layers]) => [
  ...layers.slice(0, -1).map((folders, index) => {
    const higher = layers.slice(index + 1).flat();
    return {
      name: `layer-${module}-${folders.join("-")}`,
      comment: `in src/${module}, these are higher layers: ${higher.join(", ")}`,
      severity: "error",
      from: { path: `^src/${module}/(${folders.join("|")})/` },
      to: { path: `^src/${module}/(${higher.join("|")})/` },
    };
  }),
  ...foldersWithoutLayer(module, layers.flat()).map((folder) => ({
    name: `add-${folder}-to-LAYERS-of-${module}`,
    severity: "error",
    from: { path: `^src/${module}/${folder}/` },
    to: {},
  })),
]);

function foldersWithoutLayer(module, listed) {
  return readdirSync(join(__dirname, "src", module), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !listed.includes(entry.name))
    .map((entry) => entry.name);
}

const typeRules = Object.entries(TYPES_ONLY).map(([module, others]) => ({
  name: `types-only-${module}`,
  comment: `${module} may import only types from: ${others.join(", ")}`,
  severity: "error",
  from: { path: `^src/${module}/` },
  to: {
    path: `^src/(${others.join("|")})/`,
    pathNot: "^src/memory/presentation/",
    dependencyTypesNot: ["type-only"],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    ...moduleRules,
    ...entryPointRules,
    ...layerRules,
    ...typeRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".json"] },
  },
};
