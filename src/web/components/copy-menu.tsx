import type { Toasts } from "../data/toasts.ts";
import { usePage } from "../page.ts";

/** Copies to the clipboard and reports the result. */
export function copyText(toasts: Toasts, title: string, text: string): Promise<void> {
  return navigator.clipboard.writeText(text).then(
    () => toasts.tell(`Copied ${title}.`),
    () => toasts.tellError("The browser blocked access to the clipboard."),
  );
}

export function CopyMenu({ of }: { readonly of: readonly { title: string; text: string }[] }) {
  const { toasts } = usePage();
  return (
    <div class="copy-menu">
      <span class="quiet">Copy as</span>
      {of.map(({ title, text }) => (
        <button
          key={title}
          type="button"
          class="button quiet"
          onClick={() => void copyText(toasts, `as ${title}`, text)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
