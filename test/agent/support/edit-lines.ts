import { searchReplaceEditTool } from "../../../src/agent/tools/edit.ts";
import { ProjectPaths } from "../../../src/agent/tools/project-paths.ts";

/**
 * Child process: edits one line of a file after another and prints the number of successful edits.
 */
const [, , projectRoot = "", dataDir = "", name = "", count = "0"] = process.argv;
const paths = new ProjectPaths({
  projectRoot,
  dataDir,
  userConfigDir: `${dataDir}-config`,
  allowOutsideProject: false,
});
let done = 0;
for (let line = 0; line < Number(count); line += 1) {
  const input = {
    path: "file",
    old_text: `${name}${line} old\n`,
    new_text: `${name}${line} new\n`,
  };
  const context = { callId: "c", signal: new AbortController().signal, paths };
  await searchReplaceEditTool.run(context as never, input).then(
    () => {
      done += 1;
    },
    () => undefined,
  );
}
process.stdout.write(String(done));
