import { z } from "zod";
import { withMeta } from "../../../shared/fields.ts";
import type { SearchService } from "./search-service.ts";

const text = z.string().nullish();

const braveAnswer = z.object({
  web: z
    .object({
      results: z.array(
        z.object({ title: z.string(), url: z.string(), description: text, age: text }),
      ),
    })
    .nullish(),
});

const tavilyAnswer = z.object({
  results: z.array(
    z.object({ title: z.string(), url: z.string(), content: text, published_date: text }),
  ),
});

const searxngAnswer = z.object({
  results: z.array(
    z.object({ title: z.string(), url: z.string(), content: text, publishedDate: text }),
  ),
});

function found(title: string, url: string, excerpt?: string | null, date?: string | null) {
  return { title, url, excerpt: excerpt ?? "", ...(date && { date }) };
}

export const SEARCH_SERVICES = {
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  brave: {
    address: "https://api.search.brave.com/res/v1/web/search",
    keyVariable: "BRAVE_API_KEY",
    request: ({ address, key, query, count }) => ({
      url: withQuery(address, { q: query, count, text_decorations: "false" }),
      method: "GET",
      headers: { accept: "application/json", "x-subscription-token": key },
    }),
    read: (answer) =>
      (braveAnswer.parse(answer).web?.results ?? []).map(({ title, url, description, age }) =>
        found(title, url, description, age),
      ),
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    address: "https://api.tavily.com/search",
    keyVariable: "TAVILY_API_KEY",
    request: ({ address, key, query, count }) => ({
      url: address,
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: count }),
    }),
    read: (answer) =>
      tavilyAnswer
        .parse(answer)
        .results.map(({ title, url, content, published_date }) =>
          found(title, url, content, published_date),
        ),
  },
  // https://docs.searxng.org/dev/search_api.html
  searxng: {
    request: ({ address, query }) => ({
      url: withQuery(new URL("search", directory(address)), { q: query, format: "json" }),
      method: "GET",
      headers: { accept: "application/json" },
    }),
    read: (answer) =>
      searxngAnswer
        .parse(answer)
        .results.map(({ title, url, content, publishedDate }) =>
          found(title, url, content, publishedDate),
        ),
  },
} satisfies Record<string, SearchService>;

export type SearchServiceName = keyof typeof SEARCH_SERVICES;

export const SEARCH_SERVICE_NAMES = Object.keys(SEARCH_SERVICES) as [
  SearchServiceName,
  ...SearchServiceName[],
];

function withQuery(address: URL, parameters: Readonly<Record<string, string | number>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, `${value}`);
  return url;
}

/** `http://host/searx` is a folder, with or without a trailing slash. */
function directory(address: URL): URL {
  return address.pathname.endsWith("/") ? address : new URL(`${address.href}/`);
}

export const webSearchSettings = z.strictObject({
  service: z
    .enum(SEARCH_SERVICE_NAMES)
    .optional()
    .describe("Web search service of the agent; without one, it has no search tool."),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Where the service is reached: that of a SearXNG of yours, or of a gateway."),
  apiKey: withMeta(z.string().min(1), { secret: true })
    .optional()
    .describe("Also the service's own variable, `BRAVE_API_KEY` or `TAVILY_API_KEY`."),
});

export type WebSearchSettings = z.output<typeof webSearchSettings>;
