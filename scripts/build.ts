import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { build } from "esbuild";
import { buildCachedPrograms } from "./build-cached.ts";
import { buildPage } from "./build-page.ts";
import { CLIENT, COMMON } from "./bundle-options.ts";
import { OWN_PROGRAMS } from "./own-programs.ts";

// npm builds again between `prepack`, which packs the runtimes and the driver, and the packing itself.
for (const name of existsSync("dist") ? await readdir("dist") : []) {
  if (name !== "runtime" && name !== "driver")
    await rm(`dist/${name}`, { recursive: true, force: true });
}
await build({
  ...COMMON,
  entryPoints: {
    main: "src/cli/main.ts",
    // What a program imports: `exports` of package.json.
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

// For user interfaces, in browsers first: nothing of Node.js stands in it.
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
