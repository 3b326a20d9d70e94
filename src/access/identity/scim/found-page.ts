import { yieldToEventLoop } from "../../../shared/async.ts";
import { type AskedFor, askedFor, parseFilter } from "./filter.ts";

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

export interface FoundPage {
  readonly total: number;
  readonly resources: readonly Resource[];
}

type Resource = Readonly<Record<string, unknown>>;

/** Where resources of one kind come from. */
export interface ResourceSource<Item> {
  /** Of all, those that have one of these values, by an index; undefined where none of them has one. */
  indexed(asked: readonly AskedFor[]): Promise<readonly Item[] | undefined>;
  list(range: PageRange): Promise<readonly Item[]>;
  count(): Promise<number>;
  shown(items: readonly Item[]): Promise<readonly Resource[]>;
}

/** Read at a time where a filter has to be held against all. */
const AT_A_TIME = 500;

/** A page of what a filter finds; only the filters that no index answers read all. Throws ScimError. */
export async function foundPage<Item>(
  source: ResourceSource<Item>,
  filter: string | undefined,
  range: PageRange,
): Promise<FoundPage> {
  if (filter === undefined) {
    const total = await source.count();
    const items = range.limit === 0 ? [] : await source.list(range);
    return { total, resources: await source.shown(items) };
  }
  const matches = parseFilter(filter);
  const { offset, limit } = range;
  const indexed = await source.indexed(askedFor(filter));
  if (indexed !== undefined) {
    const all = (await source.shown(indexed)).filter(matches);
    return { total: all.length, resources: all.slice(offset, offset + limit) };
  }
  let total = 0;
  const resources: Resource[] = [];
  for (let at = 0; ; at += AT_A_TIME) {
    const items = await source.list({ offset: at, limit: AT_A_TIME });
    for (const resource of await source.shown(items)) {
      if (!matches(resource)) continue;
      if (total >= offset && resources.length < limit) resources.push(resource);
      total += 1;
    }
    if (items.length < AT_A_TIME) return { total, resources };
    await yieldToEventLoop();
  }
}
