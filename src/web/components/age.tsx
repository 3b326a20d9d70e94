import { ageOf } from "../../kernel/age.ts";
import { moment } from "./time.ts";

/** How long ago; when exactly, on hover. */
export function Age({ at }: { readonly at: string }) {
  return (
    <time class="age" dateTime={at} title={moment(at)}>
      {ageOf(at, new Date())}
    </time>
  );
}
