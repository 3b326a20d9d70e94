import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { build } from "esbuild";
import { buildCachedPrograms } from "./build-cached.ts";
import { buildPage } from "./build-page.ts";
import { CLIENT, COMMON } from "./bundle-options.ts";
import { OWN_PROGRAMS } from "./own-programs.ts";

// npm builds once more between `prepack`, which packs the runtimes and the driver, and packing:
// these two folders must stay.
for (const name of existsSync("dist") ? await readdir("dist") : []) {
  if (name !== "runtime" && name !== "driver")
    await rm(`dist/${name}`, { recursive: true, force: true });
}
await build({
  ...COMMON,
  entryPoints: {
    main: "src/cli/main.ts",
    // Library entry points: `exports` of package.json.
    index: "src/index.ts",
    agent: "src/agent/index.ts",
    testing: "src/testing/index.ts",
    "daemon.program": "src/cli/daemon/daemon.program.ts",
    ...OWN_PROGRAMS,
  },
  splitting: true,
});
await buildCachedPrograms("dist");

await build({ ...CLIENT, outdir: "dist" });

// Client library for user interfaces. It also runs in browsers, so it contains nothing of Node.js.
await build({
  entryPoints: { "agent-client": "src/client/index.ts" },
  outdir: "dist",
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  minify: true,
  lineLimit: 200,
});
await buildPage("dist/ui");
