import { Stored } from "./stored.tsx";
/** Where something comes from: a link when it is one, and never to anything but the web. */
export function Source({ of }: { readonly of: string }) {
  if (!/^https?:\/\//i.test(of)) return <Stored as="span" class="source" text={of} />;
  return (
    <a class="source" href={of} target="_blank" rel="noopener noreferrer">
      <Stored text={of} />
    </a>
  );
}
