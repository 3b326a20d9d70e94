import type { CliCommand } from "../cli-command.ts";
import { withMemory } from "../command-line.ts";
import { idsOrStdin } from "../complete-ids.ts";

export const show: CliCommand = {
  name: "show",
  reader: "person",
  summary: "Show an item with its relations and history",
  group: "Inspection",
  shelf: "everyday",
  example:
    "cairn show ep:3\ncairn show person:Ada fact:2\ncairn show status=done\ncairn show change:7",
  configure(command) {
    command.argument(
      "<ids...>",
      "episodes, facts, concepts, conflicts, entities, topics, key=value, change:7 or event:17; - reads them",
    );
  },
  run: (line, args, options) =>
    withMemory(line, options, async (memory) => {
      const { loadShown } = await import("../show/load-shown.ts");
      const items = [];
      for (const id of await idsOrStdin(line, args)) items.push(await loadShown(memory, id));
      if (options.json === true) {
        const { escapeHidden: visibleJson } = await import("../../shared/json.ts");
        const found = items.map(({ item, history }) => ({
          ...item,
          ...(history !== undefined && { history: history.events }),
        }));
        line.stdout.write(`${visibleJson(found.length === 1 ? found[0] : { items: found })}\n`);
        return undefined;
      }
      const [{ drawShown }, { detectStyle: getStyle }, { showInPager: pageOut }] =
        await Promise.all([
          import("../show/draw-shown.ts"),
          import("../render/style.ts"),
          import("../render/show-in-pager.ts"),
        ]);
      const style = getStyle(line);
      const rule = style.colors.dim("─".repeat(Math.min(style.columns, 40)));
      const lines = items.flatMap((one, index) => [
        ...(index === 0 ? [] : ["", rule, ""]),
        ...drawShown(one, style),
      ]);
      pageOut(line, lines, options.pager !== false);
      return undefined;
    }),
};
