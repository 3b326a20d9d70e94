/** Which room may import from which; `kernel` is free for all. */
const ROOMS = {
  kernel: [],
  config: ["embedding", "llm", "memory", "agent", "http", "rest", "mcp", "ui-server"],
  database: [],
  embedding: [],
  memory: ["database", "embedding"],
  llm: [],
  agent: ["llm", "memory"],
  http: [],
  rest: ["memory", "http"],
  mcp: ["memory", "http"],
  "ui-server": ["http", "agent"],
  tui: ["agent"],
  app: ["config", "database", "embedding", "memory", "llm", "agent", "http"],
};

const layerRules = Object.entries(ROOMS).map(([room, mayImport]) => ({
  name: `layer-${room}`,
  comment: `${room} may import only from: kernel ${mayImport.join(" ")}`,
  severity: "error",
  from: { path: `^src/${room}/` },
  to: { path: "^src/", pathNot: `^src/(${[room, "kernel", ...mayImport].join("|")})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "front-door",
      comment: "a module is entered by its index.ts, or by its settings.ts from config",
      severity: "error",
      from: { path: "^src/([^/]+)/" },
      to: {
        path: "^src/([^/]+)/.+",
        pathNot: [
          "^src/$1/",
          "^src/kernel/",
          "^src/[^/]+/index\\.ts$",
          "^src/[^/]+/settings\\.ts$",
        ],
      },
    },
    ...layerRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".js", ".json"] },
  },
};
