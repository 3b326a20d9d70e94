import type { z } from "zod";
import type { Tx } from "../../database/index.ts";
import type { Exposure } from "./define-form.ts";
import type { Operation } from "./define-operation.ts";

interface RecordForm<Input extends z.ZodObject, Output extends z.ZodType, Row> {
  readonly of: keyof z.output<Input> & string;
  /** Loads the row; throws an error that names the field if it cannot be shown. */
  find(tx: Tx, id: string, field: string): Promise<Row>;
  show(tx: Tx, row: Row, input: z.output<Input>): Promise<z.output<Output>>;
}

export function defineRecord<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Row,
>({
  of,
  find,
  show,
  ...exposure
}: Exposure<Name, Input, Output> & RecordForm<Input, Output, Row>): Operation<Name, Input, Output> {
  return {
    ...exposure,
    kind: "read",
    formOf: "show",
    async run({ tx }, input) {
      return show(tx, await find(tx, String(input[of]), of), input);
    },
  };
}
