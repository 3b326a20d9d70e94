import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { build, type Plugin } from "esbuild";
import { buildPage } from "./build-page.ts";
import { CLIENT, COMMON } from "./bundle-options.ts";
import { OWN_PROGRAMS } from "./own-programs.ts";

/** What only writes and embedders load: a program that does neither says so, should it ever ask. */
const readsOnly: Plugin = {
  name: "reads-only",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /[\\/]lint-text\.ts$|^@huggingface\/tokenizers$/ }, ({ path }) => ({
      path,
      namespace: "left-out",
    }));
    onLoad({ filter: /./, namespace: "left-out" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of this program, which only reads`)});`,
    }));
  },
};

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
// One file with no more than it uses: a client waits for it at each prompt.
await build({
  ...COMMON,
  entryPoints: { hook: "src/cli/hook/hook.program.ts" },
  plugins: [...(COMMON.plugins ?? []), readsOnly],
});

await build({ ...CLIENT, outdir: "dist" });

// The reference page of the REST API; only these files of the package are needed.
await mkdir("dist/swagger-ui", { recursive: true });
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js", "LICENSE", "NOTICE"]) {
  await copyFile(`node_modules/swagger-ui-dist/${file}`, `dist/swagger-ui/${file}`);
}

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
