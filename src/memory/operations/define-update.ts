import type { z } from "zod";
import type { WriteContext } from "../context/write-context.ts";
import type { Exposure } from "./define-form.ts";
import type { Operation } from "./define-operation.ts";

interface UpdateForm<Input extends z.ZodObject, Output extends z.ZodType, Changed> {
  change(context: WriteContext, input: z.output<Input>): Promise<Changed>;
  load(tx: WriteContext["tx"], changed: Changed): Promise<z.output<Output>>;
}

export function defineUpdate<
  const Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Changed,
>({
  change,
  load,
  ...exposure
}: Exposure<Name, Input, Output> & UpdateForm<Input, Output, Changed>): Operation<
  Name,
  Input,
  Output
> {
  return {
    ...exposure,
    kind: "write",
    formOf: "update",
    async run(context, input) {
      return load(context.tx, await change(context, input));
    },
  };
}
