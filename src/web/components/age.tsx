import { age, moment } from "./time.ts";

/** How long ago; when exactly, on hover. */
export function Age({ at }: { readonly at: string }) {
  return (
    <time class="age" dateTime={at} title={moment(at)}>
      {age(at)}
    </time>
  );
}
