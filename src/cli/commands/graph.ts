import { invalidInput } from "../../shared/errors.ts";
import { visibleJson } from "../../shared/json.ts";
import { didYouMean } from "../../shared/nearest.ts";
import { parseInteger } from "../../shared/parse-field.ts";
import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../command-line.ts";
import { completeId } from "../complete-ids.ts";
import { rephraseErrors } from "../rephrase-errors.ts";

export const graph: CliCommand = {
  name: "graph",
  reader: "person",
  summary: "Draw connections around an item or the strongest concepts",
  group: "Inspection",
  example:
    "cairn graph tool:redis --depth 2\ncairn graph --format svg > memory.svg\ncairn graph --json",
  configure(command) {
    command
      .argument("[center]", "a concept, episode, fact or entity")
      .option("--depth <edges>", "distance from the center, up to 4 (default: 1)")
      .option("-n, --limit <count>", "maximum number of nodes (default: 150)")
      .option("--format <format>", "tree, svg, dot, mermaid or html (default: tree)");
  },
  run: (line, [written], options) =>
    withMemory(line, options, async (memory) => {
      const { GRAPH_WRITERS } = await import("../graph/write-graph.ts");
      const formats = ["tree", ...Object.keys(GRAPH_WRITERS)];
      const format = typeof options.format === "string" ? options.format : "tree";
      if (!formats.includes(format)) {
        throw invalidInput(
          `--format: must be ${formats.join(", ")}.${didYouMean(format, formats)}`,
        );
      }
      const query = {
        ...(typeof options.depth === "string" && { depth: parseInteger(options.depth, "--depth") }),
        ...(typeof options.limit === "string" && { limit: parseInteger(options.limit, "--limit") }),
      };
      // Without other options, `--json` prints the whole concept graph.
      if (options.json === true && written === undefined && Object.keys(query).length === 0) {
        line.stdout.write(`${visibleJson(await memory.execute("graph", {}))}\n`);
        return undefined;
      }
      const center = written === undefined ? {} : { center: await completeId(memory, written) };
      const map = await rephraseErrors({ center: "center" }, () =>
        memory.execute("graph_neighbourhood", { ...center, ...query }),
      );
      if (options.json === true) {
        line.stdout.write(`${visibleJson(map)}\n`);
        return undefined;
      }
      const write = GRAPH_WRITERS[format];
      if (write !== undefined) {
        line.stdout.write(write(map));
        return undefined;
      }
      const [{ drawTree }, { detectStyle: getStyle }, { pageOut }] = await Promise.all([
        import("../graph/draw-tree.ts"),
        import("../render/style.ts"),
        import("../render/page-out.ts"),
      ]);
      pageOut(line, drawTree(map, getStyle(line)), options.pager !== false);
      return undefined;
    }),
};
