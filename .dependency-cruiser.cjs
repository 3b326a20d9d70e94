const { readdirSync } = require("node:fs");
const { join } = require("node:path");

/** Which room may import from which; `kernel` is free for all. */
const ROOMS = {
  kernel: [],
  daemon: [],
  config: [
    "audit",
    "identity",
    "daemon",
    "database",
    "deciding",
    "embedding",
    "learning",
    "llm",
    "memory",
    "sources",
    "sync",
    "agent",
    "http",
    "rest",
    "mcp",
    "ui-server",
    "tui",
  ],
  database: [],
  access: ["database"],
  identity: ["access", "database", "http"],
  embedding: [],
  clients: [],
  connections: ["clients"],
  learning: ["memory"],
  capture: ["memory", "learning"],
  memory: ["database", "embedding"],
  importers: ["memory", "database"],
  sources: ["memory", "capture", "learning", "database"],
  sync: ["memory"],
  deciding: ["memory"],
  exporters: ["memory"],
  review: ["memory", "sources"],
  llm: [],
  agent: ["llm", "memory", "capture", "learning", "sources"],
  http: [],
  // Who asked a server for what.
  audit: ["http"],
  rest: ["access", "identity", "memory", "http", "importers"],
  mcp: ["memory", "http"],
  metrics: ["memory", "http"],
  "ui-server": ["http", "agent"],
  // What user interfaces of others are built on: types of the protocol, and nothing else.
  client: ["ui-server"],
  // Who answers the agent's questions from another device.
  phones: ["access", "agent", "http", "page-server", "ui-server"],
  acp: ["agent"],
  tui: ["agent"],
  // The page in the browser, and what hands it out.
  web: ["client"],
  "page-server": ["http"],
  app: [
    "access",
    "audit",
    "identity",
    "capture",
    "config",
    "daemon",
    "database",
    "deciding",
    "embedding",
    "learning",
    "memory",
    "llm",
    "agent",
    "acp",
    "http",
    "rest",
    "mcp",
    "metrics",
    "page-server",
    "phones",
    "sources",
    "ui-server",
  ],
};

/**
 * What keeps and serves the memory, and what is the agent. Each half is tested by itself; rooms in
 * neither put the two together, or are free for both. `docs/guides/two-halves.md` tells the rest.
 */
const HALVES = {
  memory: [
    "access",
    "audit",
    "capture",
    "clients",
    "connections",
    "daemon",
    "database",
    "deciding",
    "embedding",
    "exporters",
    "http",
    "identity",
    "importers",
    "learning",
    "mcp",
    "memory",
    "metrics",
    "page-server",
    "rest",
    "review",
    "sources",
    "sync",
    "web",
  ],
  agent: ["acp", "agent", "client", "llm", "tui", "ui-server"],
};

/** By these rooms of the memory half the agent half comes in; each has its `index.ts` for a door. */
const DOORS = ["memory", "capture", "learning", "sources", "http"];

const halfRules = [
  {
    name: "memory-half",
    comment: "what serves the memory knows nothing of the agent",
    severity: "error",
    from: { path: `^src/(${HALVES.memory.join("|")})/`, pathNot: "^src/web/agent/" },
    to: { path: `^src/(${HALVES.agent.join("|")})/` },
  },
  {
    name: "agent-on-the-page",
    comment:
      "the page is a client of the agent: it knows the messages of its protocol, and what its clients are built on",
    severity: "error",
    from: { path: "^src/web/agent/" },
    to: {
      path: `^src/(${HALVES.agent.join("|")})/`,
      pathNot: ["^src/ui-server/index\\.ts$", "^src/client/index\\.ts$"],
    },
  },
  {
    name: "agent-half",
    comment: `the agent knows of the memory half only the doors of: ${DOORS.join(" ")}`,
    severity: "error",
    from: { path: `^src/(${HALVES.agent.join("|")})/` },
    to: {
      path: `^src/(${HALVES.memory.join("|")})/`,
      pathNot: [`^src/(${DOORS.join("|")})/index\\.ts$`, "^src/memory/presentation/index\\.ts$"],
    },
  },
];

/**
 * The folders of a module from the ground up: a folder imports from its own line and the lines
 * above it. Every folder of the module stands in one line.
 */
const STOREYS = {
  memory: [
    ["input", "commands"],
    ["events"],
    ["context"],
    ["totals"],
    // The nouns: their tables refer to each other.
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
    ["copies"],
    ["diagnostics", "hooks", "sandbox", "confinement", "broker", "web", "mcp-servers", "subagents"],
    ["loop", "prompt"],
    ["tasks", "export", "why"],
    ["unattended"],
    ["slash-commands"],
    ["threads"],
  ],
};

const storeyRules = Object.entries(STOREYS).flatMap(([module, storeys]) => [
  ...storeys.slice(0, -1).map((storey, index) => {
    const above = storeys.slice(index + 1).flat();
    return {
      name: `storey-${module}-${storey.join("-")}`,
      comment: `in src/${module}, ${above.join(", ")} lie above it`,
      severity: "error",
      from: { path: `^src/${module}/(${storey.join("|")})/` },
      to: { path: `^src/${module}/(${above.join("|")})/` },
    };
  }),
  ...foldersWithoutStorey(module, storeys.flat()).map((folder) => ({
    name: `say-in-STOREYS-where-src-${module}-${folder}-lies`,
    severity: "error",
    from: { path: `^src/${module}/${folder}/` },
    to: {},
  })),
]);

function foldersWithoutStorey(module, listed) {
  return readdirSync(join(__dirname, "src", module), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !listed.includes(entry.name))
    .map((entry) => entry.name);
}

/** Rooms of which only the types may be imported, and how records are shown. */
const TYPES_ONLY = { tui: ["memory"], web: ["memory", "rest", "ui-server"] };

const typeRules = Object.entries(TYPES_ONLY).map(([room, others]) => ({
  name: `types-only-${room}`,
  comment: `${room} may import only the types of: ${others.join(" ")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: `^src/(${others.join("|")})/`,
    pathNot: "^src/memory/presentation/",
    dependencyTypesNot: ["type-only"],
  },
}));

const layerRules = Object.entries(ROOMS).map(([room, mayImport]) => ({
  name: `layer-${room}`,
  comment: `${room} may import only from: kernel ${mayImport.join(" ")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: {
    path: "^src/",
    pathNot: `^src/(${[room, "kernel", ...mayImport, ...(TYPES_ONLY[room] ?? [])].join("|")})/`,
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "front-door",
      comment:
        "a module is entered by its index.ts, by its settings.ts from config, config by its paths.ts and the memory by its completion.ts from what must start at once and by presentation/index.ts from what draws records",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: {
        path: "^src/([^/]+)/.+",
        pathNot: [
          "^src/$1/",
          "^src/kernel/",
          "^src/[^/]+/index\\.ts$",
          "^src/[^/]+/settings\\.ts$",
          "^src/config/paths\\.ts$",
          "^src/memory/completion\\.ts$",
          "^src/memory/presentation/index\\.ts$",
        ],
      },
    },
    ...layerRules,
    ...halfRules,
    ...storeyRules,
    ...typeRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".json"] },
  },
};
