import { Icon } from "../components/icon.tsx";
import { Keys } from "../components/keys.tsx";
import { Stored } from "../components/stored.tsx";
import { usePage } from "../page.ts";

export function ToastList() {
  const { toasts, writer, router } = usePage();
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.shown.value.map(({ number, text, isError, changes }) => (
        <div key={number} class={isError ? "toast error" : "toast"}>
          <Stored as="span" class="toast-text" text={text} />
          {changes.length > 0 && (
            <button
              type="button"
              class="button"
              onClick={() => {
                toasts.dismiss(number);
                void writer.undo(router.place.peek().db, changes);
              }}
            >
              Undo <Keys of={["z"]} />
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label="Dismiss"
            onClick={() => toasts.dismiss(number)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
