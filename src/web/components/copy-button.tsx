import { useState } from "preact/hooks";
import type { Toasts } from "../data/toasts.ts";
import { usePage } from "../page.ts";
import { Icon } from "./icon.tsx";

/** Copies to the clipboard and reports the result. */
export async function copyText(toasts: Toasts, title: string, text: string): Promise<void> {
  if (await writeClipboard(toasts, text)) toasts.tell(`Copied ${title}.`);
}

async function writeClipboard(toasts: Toasts, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Rejected without the user's permission, and missing without HTTPS.
    toasts.showError("The browser blocked access to the clipboard.");
    return false;
  }
}

const CONFIRMED_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { toasts } = usePage();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await writeClipboard(toasts, text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMED_MS);
  };
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={copy}>
      {isCopied ? "✓" : <Icon name="copy" />}
    </button>
  );
}
