import type { InputOf, OutputOf } from "../../memory/index.ts";
import type { Client } from "./client.ts";
import type { RoutedOperation } from "./routes.ts";

const PAGE = 500;

export interface PagedList<Name extends RoutedOperation, Row> {
  readonly db: string;
  readonly input: InputOf<Name>;
  read(output: OutputOf<Name>): readonly Row[];
  /** Input of the next page; undefined after the last one. */
  next(output: OutputOf<Name>): Partial<InputOf<Name>> | undefined;
}

/** Loads all pages of a server list, one after the other. */
export async function* getPages<Name extends RoutedOperation, Row>(
  client: Client,
  name: Name,
  { db, input, read, next }: PagedList<Name, Row>,
): AsyncGenerator<readonly Row[]> {
  let page: InputOf<Name> | undefined = { ...input, limit: PAGE };
  while (page !== undefined) {
    const { output }: { output: OutputOf<Name> } = await client.call(name, page, { db });
    yield read(output);
    const more = next(output);
    page = more === undefined ? undefined : { ...page, ...more };
  }
}

/** Returns the input of the next page for lists with `next_cursor`. */
export function behindCursor(output: {
  readonly next_cursor?: string | null | undefined;
}): { cursor: string } | undefined {
  const { next_cursor: cursor } = output;
  return cursor === undefined || cursor === null ? undefined : { cursor };
}
