import { Link } from "../../components/link.tsx";
import { usePage } from "../../page.ts";

interface WaitingWorkProps {
  /** Open conflicts. */
  readonly open: number;
  readonly pending: number;
}

export function WaitingWork({ open, pending }: WaitingWorkProps) {
  const { router } = usePage();
  if (open === 0 && pending === 0) return null;
  return (
    <p class="waiting-work">
      {open > 0 && (
        <Link class="button primary" to={router.href({ screen: "inbox" })}>
          Settle {open.toLocaleString("en")} {open === 1 ? "conflict" : "conflicts"}
        </Link>
      )}
      {pending > 0 && (
        <Link class="button" to={router.href({ screen: "inbox", query: { part: "pending" } })}>
          {pending.toLocaleString("en")} not reviewed
        </Link>
      )}
    </p>
  );
}
