import { inProcessSurface } from "./in-process-surface.ts";
import { Normalizer } from "./normalize.ts";
import { removePast } from "./remove-past.ts";
import { Renumbering } from "./renumbering.ts";
import type { Entry, Step } from "./scenario.ts";
import type { Outcome, Surface, SurfaceSetup } from "./surface.ts";

export interface Run {
  readonly outcomes: readonly Outcome[];
  /** Number of steps that the surface itself supports. */
  readonly answered: number;
}

/** Runs the steps through a surface. Operations that it lacks run in the store. */
export async function runScenario(
  surface: Surface,
  ground: SurfaceSetup,
  steps: readonly Step[],
): Promise<Run> {
  const fallback = inProcessSurface(ground);
  const numbers = new Renumbering(ground.given ?? {});
  const normalizer = new Normalizer();
  const earlier: Record<string, Entry> = {};
  const outcomes: Outcome[] = [];
  let answered = 0;
  for (const { operation: name, input: args, as } of steps) {
    const operation = ground.store.operations.get(name);
    if (operation === undefined) throw new Error(`There is no operation ${name}.`);
    const input = numbers.asHere(typeof args === "function" ? args(earlier) : args);
    const own = await surface.call(operation, input);
    if (own !== undefined) answered += 1;
    const answer = own ?? (await fallback.call(operation, input));
    if (answer === undefined) throw new Error(`${name} was not answered.`);
    const said = numbers.asNew(answer);
    const outcome = ground.given === undefined ? said : removePast(name, said);
    if (as !== undefined && "output" in outcome) earlier[as] = outcome.output as Entry;
    outcomes.push(normalizer.normalize(comparable(outcome)));
  }
  return { outcomes, answered };
}

/** Error details name fields differently per surface, except for changesets. */
function comparable(outcome: Outcome): Outcome {
  if ("output" in outcome) return outcome;
  const { code, details } = outcome.error;
  return { error: code === "changeset_failed" ? { code, details } : { code } };
}
