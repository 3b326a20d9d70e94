import { useState } from "preact/hooks";
import { usePage } from "../page.ts";
import { Icon } from "./icon.tsx";

const CONFIRMED_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { toasts } = usePage();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), CONFIRMED_MS);
      },
      () => toasts.tellError("The browser blocked access to the clipboard."),
    );
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={copy}>
      {isCopied ? "✓" : <Icon name="copy" />}
    </button>
  );
}
