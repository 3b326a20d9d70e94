import { z } from "zod";
import { shorten } from "../../shared/text.ts";
import { fence } from "../documents/fence.ts";
import { defineTool, type Tool } from "../tools/define-tool.ts";
import type { FoundPage } from "./search/search-service.ts";
import type { WebSearch } from "./search/web-search.ts";

const MAX_QUERY = 400;
const SHOWN_OF_TITLE = 200;
const SHOWN_OF_EXCERPT = 600;
const SHOWN_OF_URL = 500;

export function webSearchTool(web: WebSearch): Tool {
  return defineTool({
    name: "web_search",
    description:
      "Searches the web; returns titles, addresses and excerpts. The query leaves this machine.",
    readOnly: true,
    input: z.strictObject({
      query: z.string().trim().min(1).max(MAX_QUERY),
      count: z.number().int().min(1).max(20).default(8).describe("Pages at most."),
    }),
    uses: () => [{ kind: "host", host: web.host }],
    title: ({ query }) => query,
    async run({ signal }, { query, count }) {
      const pages = await web.search(query, count, signal);
      if (pages.length === 0) {
        return { text: "Nothing was found. Try fewer or other words.", summary: "nothing found" };
      }
      return {
        text: fence("search-results", pages.map(shown).join("\n\n"), { query }),
        summary: `${pages.length} ${pages.length === 1 ? "page" : "pages"}: ${line(pages[0]?.title ?? "", SHOWN_OF_TITLE)}`,
      };
    },
  });
}

function shown({ title, url, excerpt, date }: FoundPage, index: number): string {
  const when = date === undefined ? "" : ` (${line(date, 40)})`;
  const lines = [`${index + 1}. ${line(title, SHOWN_OF_TITLE)}${when}`, line(url, SHOWN_OF_URL)];
  if (excerpt !== "") lines.push(line(excerpt, SHOWN_OF_EXCERPT));
  return lines.join("\n   ");
}

/** Services highlight the matched words. */
function line(text: string, characters: number): string {
  const plain = text.replace(/<\/?(?:strong|em|b|i|mark)>/gi, "").replace(/\s+/g, " ");
  return shorten(plain.trim(), characters);
}
