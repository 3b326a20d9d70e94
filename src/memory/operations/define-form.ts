import type { z } from "zod";
import type { PrepareContext } from "../search/prepare-context.ts";
import type { Operation } from "./define-operation.ts";
import type { OperationContext } from "./operation-context.ts";

/** Forms of one operation: names, routes and tools that fix part of the input. */
export interface OperationBody<Input, Answer, Prepared = unknown> {
  readonly name: string;
  readonly kind: Operation["kind"];
  prepare?(context: PrepareContext, input: Input): Promise<Prepared>;
  run(context: OperationContext<Prepared>, input: Input): Promise<Answer>;
}

export type Exposure<
  Name extends string,
  Input extends z.ZodObject,
  Output extends z.ZodType,
> = Omit<Operation<Name, Input, Output>, "kind" | "run" | "runTogether" | "prepare" | "formOf">;

interface Bound<Input extends z.ZodObject, Given> {
  bind(input: z.output<Input>): Given;
}

interface Shaped<Output extends z.ZodType, Answer> {
  answer(answer: Answer): z.output<Output>;
}

export function createFormFunctions<Given, Answer, Prepared = unknown>(
  act: OperationBody<Given, Answer, Prepared>,
) {
  function createForm<
    const Name extends string,
    Input extends z.ZodObject,
    Output extends z.ZodType<Answer>,
  >(
    form: Exposure<Name, Input, Output> & Bound<Input, Given> & { readonly answer?: never },
  ): Operation<Name, Input, Output>;
  function createForm<
    const Name extends string,
    Input extends z.ZodObject,
    Output extends z.ZodType,
  >(
    form: Exposure<Name, Input, Output> & Bound<Input, Given> & Shaped<Output, Answer>,
  ): Operation<Name, Input, Output>;
  function createForm({
    bind,
    answer,
    ...exposure
  }: Exposure<string, z.ZodObject, z.ZodType> &
    Bound<z.ZodObject, Given> &
    Partial<Shaped<z.ZodType, Answer>>): Operation {
    const prepare = act.prepare?.bind(act);
    return {
      ...exposure,
      kind: act.kind,
      formOf: act.name,
      ...(prepare !== undefined && {
        prepare: (context: PrepareContext, input: Record<string, unknown>) =>
          prepare(context, bind(input)),
      }),
      async run(context: OperationContext<Prepared>, input) {
        const options = await act.run(context, bind(input));
        return answer === undefined ? options : answer(options);
      },
    };
  }
  return createForm;
}
