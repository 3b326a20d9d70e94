const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Readonly<Record<string, string>> = {
  "Mod+k": isApple ? "⌘K" : "Ctrl K",
  "Mod+Enter": isApple ? "⌘↵" : "Ctrl ↵",
  "Mod+a": isApple ? "⌘A" : "Ctrl A",
  Z: "⇧Z",
  Y: "⇧Y",
  Delete: "Del",
  Escape: "Esc",
  Enter: "↵",
};

/** Shows key hints, hidden from screen readers, which get them in the help. */
export function Keys({ keys }: { readonly keys: readonly string[] }) {
  const isSequence = keys[0] === "g";
  const shown = isSequence ? keys : keys.slice(0, 1);
  return (
    <span class="keys" aria-hidden="true">
      {shown.map((key) => (
        <kbd key={key}>{NAMES[key] ?? key}</kbd>
      ))}
    </span>
  );
}
