import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;

const apply = (...ops: string[]) =>
  server.store.open(undefined).execute("apply", { changeset: ops.join("\n") });

beforeAll(async () => {
  server = await serveMemory();
  const numbers = Array.from({ length: 9 }, (_, n) => n);
  await apply(
    ...numbers.map((n) => `topic name="Topic ${n % 2 === 0 ? n : 90 - n}"`),
    ...numbers.map(
      (n) =>
        `remember as=f${n} t=fact e=tool:hub,file:f${n % 5} labels=kind=k${n % 4} "Port ${n} is open"`,
    ),
    ...numbers.slice(1).map((n) => `conflict fact_a=$f0 fact_b=$f${n} severity=low`),
    ...numbers.map((n) => `concept as=c${n} title="About ${n}" from=$f${n} "summary"`),
    ...numbers.map((n) => `remember as=g${n} "Gone ${n}"`),
    ...numbers.map((n) => `delete id=$g${n}`),
  );
}, 60_000);
afterAll(() => server.end());

/** Inserts a new first item into each list, which would shift offset-based pages. */
let written = 0;
async function writeOne(): Promise<void> {
  written += 1;
  await apply(
    `topic name="A topic before all ${written}"`,
    `remember as=a t=fact e=tool:hub,file:new${written} "Another port ${written}"`,
    `remember as=b t=fact e=tool:hub,file:new${written} "Yet another port ${written}"`,
    "conflict fact_a=$a fact_b=$b severity=low",
    `concept title="Another ${written}" from=$a "summary"`,
    `remember as=g "Also gone ${written}"`,
    "delete id=$g",
  );
}

interface Page {
  readonly status: number;
  readonly items: string[];
  readonly next: string | undefined;
  readonly message: string;
}

async function page(path: string, field: string, query: Record<string, string>): Promise<Page> {
  const response = await fetch(`${server.url}/api/v1${path}?${new URLSearchParams(query)}`);
  const body = (await response.json()) as Record<string, unknown> & {
    error?: { message: string };
    next_cursor?: string;
  };
  const items = (body[field] ?? []) as { id?: string; key?: string; value?: string }[];
  return {
    status: response.status,
    items: items.map(({ id, key, value }) => id ?? `${key}=${value}`),
    next: body.next_cursor,
    message: body.error?.message ?? "",
  };
}

const LISTS: readonly [path: string, field: string][] = [
  ["/episodes", "episodes"],
  ["/episodes/deleted", "episodes"],
  ["/concepts", "concepts"],
  ["/concepts/deleted", "concepts"],
  ["/conflicts", "conflicts"],
  ["/labels", "labels"],
  ["/entities", "entities"],
  ["/topics", "topics"],
  ["/entities/tool:hub/episodes", "episodes"],
  ["/entities/tool:hub/concepts", "concepts"],
];

describe.each(LISTS)("the pages of %s", (path, field) => {
  it("return each item once by cursors despite concurrent writes", async () => {
    const { items: whole } = await page(path, field, { limit: "500" });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const found = await page(path, field, { limit: "2", ...(cursor && { cursor }) });
      expect(found.items.length).toBeLessThanOrEqual(2);
      paged.push(...found.items);
      cursor = found.next;
      if (paged.length <= 4) await writeOne();
    } while (cursor !== undefined);
    expect(new Set(paged).size).toBe(paged.length);
    expect(paged.filter((item) => whole.includes(item))).toEqual(whole);
  });

  it("reject foreign cursors and cursors with a page", async () => {
    const other = path === "/topics" ? ["/labels", "labels"] : ["/topics", "topics"];
    const { next = "" } = await page(other[0] ?? "", other[1] ?? "", { limit: "1" });
    expect(next).not.toBe("");
    for (const cursor of [next, "nonsense", "W10"]) {
      const refused = await page(path, field, { cursor });
      expect(refused).toMatchObject({
        status: 400,
        message: expect.stringContaining("next_cursor"),
      });
    }
    const { next: own } = await page(path, field, { limit: "1" });
    if (own === undefined) return;
    const both = await page(path, field, { cursor: own, page: "2" });
    expect(both).toMatchObject({ status: 400, message: expect.stringContaining("omit `page`") });
  });
});
