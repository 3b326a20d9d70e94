import { usePage } from "../page.ts";

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
          onClick={() =>
            navigator.clipboard.writeText(text).then(
              () => toasts.tell(`Copied as ${title}.`),
              () => toasts.tellError("The browser blocked access to the clipboard."),
            )
          }
        >
          {title}
        </button>
      ))}
    </div>
  );
}
