import type { Usage } from "../../agent/entry.ts";
import { Button } from "../../components/controls.tsx";
import { Icon } from "../../components/icon.tsx";
import { Link } from "../../components/link.tsx";
import { Menu } from "../../components/menu.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import type { ThreadDialogName } from "./thread-dialogs.tsx";
import type { OpenThread } from "./use-thread.ts";

export const PANELS = [
  { name: "changes", title: "Changes" },
  { name: "plan", title: "Plan" },
] as const;

interface ThreadHeadProps {
  readonly open: OpenThread;
  onOpen(dialog: ThreadDialogName): void;
}

export function ThreadHead({ open, onOpen }: ThreadHeadProps) {
  const { connection, thread, threadId, log } = open;
  const { actions, router } = usePage();
  const ready = connection.responses.ready.value;
  const { query } = router.location.value;
  const remove = async () => {
    const isConfirmed = await actions.confirm({
      title: "Delete thread?",
      text: "This deletes the thread and its session and cannot be undone. Files and memories stay.",
      verb: "Delete",
      isDestructive: true,
    });
    if (!isConfirmed) return;
    connection.send({ type: "thread.delete", payload: { threadId } });
    router.go(router.href({ screen: "agent" }));
  };
  return (
    <header class="thread-head">
      <Link to={router.href({ screen: "agent" })} class="thread-back" aria-label="Threads">
        <Icon name="left" />
      </Link>
      <Stored as="h1" text={thread?.title ?? "New thread"} />
      <p class="quiet thread-facts">
        {ready !== undefined && (
          <span title={ready.sandbox}>Sandbox: {firstWords(ready.sandbox)}</span>
        )}
        <Spent usage={log?.usage.value} />
      </p>
      {!connection.isApprover && (
        <div class="thread-more">
          {PANELS.map(({ name, title }) => (
            <Button
              key={name}
              kind="panel-button"
              aria-pressed={query.panel === name}
              onClick={() => router.setQuery({ panel: query.panel === name ? "" : name })}
            >
              {title}
            </Button>
          ))}
          <Menu
            label="Thread actions"
            items={[
              ...PANELS.map(({ name, title }) => ({
                ...{ title, isNarrow: true },
                run: () => router.setQuery({ panel: name }),
              })),
              ...(thread === undefined
                ? []
                : [
                    { title: "Rename", run: () => onOpen("rename") },
                    { title: "Memories used", run: () => onOpen("memories") },
                    { title: "Undo a turn", run: () => onOpen("undo") },
                    { title: "Delete thread", isDestructive: true, run: () => void remove() },
                  ]),
            ]}
          />
        </div>
      )}
    </header>
  );
}

function Spent({ usage }: { readonly usage: Usage | undefined }) {
  return (
    <>
      {usage?.contextUsed !== undefined && (
        <span>{Math.round(usage.contextUsed * 100)} % of context</span>
      )}
      {usage?.cost !== undefined && <span>${usage.cost.toFixed(usage.cost < 1 ? 3 : 2)}</span>}
    </>
  );
}

function firstWords(text: string): string {
  return text.split(/[(:,]/, 1)[0]?.trim() ?? text;
}
