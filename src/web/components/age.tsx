import { formatAge } from "../../shared/time.ts";

export function Age({ at }: { readonly at: string }) {
  return (
    <time class="age" dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 16)} UTC`}>
      {formatAge(at, new Date())}
    </time>
  );
}
