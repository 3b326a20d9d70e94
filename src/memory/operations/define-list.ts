import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { CursorPosition, Page } from "../context/page-cursor.ts";
import { loadList } from "../context/sliced-list.ts";
import type { Exposure } from "./define-form.ts";
import type { Operation } from "./define-operation.ts";
import type { OperationContext } from "./operation-context.ts";
import { listNumbers, loadPositions, type PageOfInput } from "./paging.ts";

export interface RecordList<At extends CursorPosition, Listed> {
  readonly order: string;
  readonly page: PageOfInput;
  positions(page: Page | undefined): Promise<readonly At[]>;
  count(): number | Promise<number>;
  load(tx: Tx, locations: readonly At[]): Promise<Listed[]>;
}

export function createRecordList<At extends CursorPosition, Listed>(
  list: RecordList<At, Listed>,
): RecordList<At, Listed> {
  return list;
}

type ListNumbers = ReturnType<typeof listNumbers> & { next_cursor?: string };

interface ListForm<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  At extends CursorPosition,
  Listed,
> {
  list(
    context: OperationContext,
    input: z.output<Input>,
  ): RecordList<At, Listed> | Promise<RecordList<At, Listed>>;
  answer(records: Listed[], numbers: ListNumbers): z.output<Output>;
}

export function defineList<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  At extends CursorPosition,
  Listed,
>({
  list,
  answer,
  ...exposure
}: Exposure<Name, Input, Output> & ListForm<Input, Output, At, Listed>): Operation<
  Name,
  Input,
  Output
> {
  return {
    ...exposure,
    kind: "read",
    formOf: "list",
    async run(context, input) {
      const { order, page, positions: load, ...records } = await list(context, input);
      const { positions, next } = await loadPositions(page, context.options, { order, load });
      const total = await records.count();
      return answer(await loadList(context, positions, records.load), {
        ...listNumbers(page, total, context.options),
        ...next,
      });
    },
  };
}

export function listByNumber<Listed>(
  load: (tx: Tx, numbers: readonly number[]) => Promise<Listed[]>,
) {
  return (tx: Tx, locations: readonly (readonly [string | number, number])[]) =>
    load(
      tx,
      locations.map(([, number]) => number),
    );
}
