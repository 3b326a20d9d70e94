import type { ComponentChildren } from "preact";
import { usePage } from "../page.ts";
import { Stored } from "./stored.tsx";

interface LinkProps {
  readonly to: string;
  readonly class?: string;
  readonly "aria-current"?: "page" | "true" | undefined;
  readonly children?: ComponentChildren;
}

/** A link inside of the page: a plain click stays in it, every other one is the browser's. */
export function Link({ to, children, ...rest }: LinkProps) {
  const { router } = usePage();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        router.go(to);
      }}
    >
      {children}
    </a>
  );
}

export function ItemLink({ id, children }: { id: string; children?: ComponentChildren }) {
  const { router } = usePage();
  const isConflict = id.startsWith("conflict:");
  const to = isConflict
    ? router.href({ screen: "inbox", query: { conflict: id } })
    : router.href({ screen: "item", id });
  return (
    <Link to={to} class={children === undefined ? "id" : "item-link"}>
      {children ?? <Stored text={id} />}
    </Link>
  );
}
