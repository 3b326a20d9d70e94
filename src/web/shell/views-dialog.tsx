import { useState } from "preact/hooks";
import { GO_ACTIONS } from "../actions/go-actions.ts";
import { Stored } from "../components/stored.tsx";
import type { SavedView } from "../data/saved-views.ts";
import { usePage } from "../page.ts";
import type { ScreenName } from "../routing/place.ts";
import { Dialog } from "./dialog.tsx";

/** What is shown now under a name, and the views that have one. */
export function ViewsDialog({ onClose }: { onClose(): void }) {
  const { router, views, toasts } = usePage();
  const place = router.place.value;
  const [name, setName] = useState("");
  const saved = views.of(place.db);
  return (
    <Dialog title="Saved views" class="views" onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() === "") return;
          views.keep(name, place);
          toasts.tell(`Saved the view ${name.trim()}.`);
          onClose();
        }}
      >
        <label>
          Name for what {titleOf(place.screen)} shows now
          <input
            value={name}
            ref={(field) => {
              if (name === "") field?.focus();
            }}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary">
          Save the view
        </button>
      </form>
      {saved.length > 0 && (
        <ul class="lines" aria-label="Views of this database">
          {saved.map((view, index) => (
            <ViewLine key={view.name} of={view} isFirst={index === 0} />
          ))}
        </ul>
      )}
      <OtherBrowser db={place.db} />
    </Dialog>
  );
}

export function titleOf(screen: ScreenName): string {
  return GO_ACTIONS.find((one) => one.screen === screen)?.title ?? "Item";
}

function ViewLine({ of, isFirst }: { readonly of: SavedView; readonly isFirst: boolean }) {
  const { views, toasts } = usePage();
  const [renaming, setRenaming] = useState<string>();
  if (renaming !== undefined) {
    return (
      <li>
        <form
          class="view-line"
          onSubmit={(event) => {
            event.preventDefault();
            if (views.rename(of, renaming)) setRenaming(undefined);
            else toasts.tellError("Another view is called so, or it has no name.");
          }}
        >
          <input
            aria-label={`New name of ${of.name}`}
            value={renaming}
            ref={(field) => field?.focus()}
            onInput={({ currentTarget }) => setRenaming(currentTarget.value)}
          />
          <button type="submit" class="button">
            Rename
          </button>
        </form>
      </li>
    );
  }
  return (
    <li class="view-line">
      <Stored as="b" text={of.name} />
      <span class="quiet">{titleOf(of.screen)}</span>
      <button type="button" class="button" onClick={() => setRenaming(of.name)}>
        Rename<span class="unseen"> {of.name}</span>
      </button>
      <button type="button" class="button" disabled={isFirst} onClick={() => views.raise(of)}>
        Up<span class="unseen"> {of.name}</span>
      </button>
      <button type="button" class="button danger" onClick={() => views.remove(of)}>
        Remove<span class="unseen"> {of.name}</span>
      </button>
    </li>
  );
}

/** Views are kept in this browser; as a text they go into another one. */
function OtherBrowser({ db }: { readonly db: string }) {
  const { views, toasts } = usePage();
  const [text, setText] = useState<string>();
  return (
    <details>
      <summary>In another browser</summary>
      <label class="field">
        Copy this there, or put in what you copied there
        <textarea
          rows={5}
          value={text ?? views.asText(db)}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="button"
        disabled={text === undefined}
        onClick={() => {
          const count = views.takeOver(text ?? "", db);
          setText(undefined);
          toasts.tell(
            count === 0 ? "There is no view in this text." : `${count} views taken over.`,
          );
        }}
      >
        Take these over
      </button>
    </details>
  );
}
