/** Strokes on a grid of 16. */
const PATHS = {
  home: "M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z",
  agent: "M2.5 3h11v8H8l-3 2.5V11H2.500zM5.500 6.200l1.400 1-1.400 1m3 .3h2",
  inbox: "M2.5 9.5h3l1 2h3l1-2h3M2.5 9.5v4h11v-4l-2-6.5h-7z",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.3-1.2 3.2 3.2",
  recall: "M8 13.5a5.5 5.5 0 1 0-5.4-4.6M8 5v3.2l2 1.3M2 6.2l.6 2.8 2.7-.8",
  recalls: "M2.5 3.5h11m-11 4.500h7m-7 4.500h4M11 9v3l2 1M11.500 15a3.500 3.500 0 1 0 0-7",
  map: "M4 5.5a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zm8.3 3.4a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.3 13.9a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM5.5 4.7l5.2 1.7M4.2 5.5l.9 5M6.7 11l4.1-2.9",
  feed: "M2 8h2.5l2-5 3 10 2-5H14",
  topics: "M2.5 2.5h5l6 6-5 5-6-6zM5.4 5.4h.01",
  databases:
    "M13 4c0 1.1-2.2 2-5 2S3 5.1 3 4s2.2-2 5-2 5 .9 5 2zm0 0v8c0 1.1-2.2 2-5 2s-5-.9-5-2V4m10 4c0 1.1-2.2 2-5 2S3 9.100 3 8",
  bin: "M2.500 4h11M6 4V2.500h4V4m2.500 0-.7 9.500H4.200L3.500 4M6.500 6.500v4.500m3-4.500v4.500",
  close: "m4 4 8 8m0-8-8 8",
  help: "M5.900 6a2.100 2.100 0 1 1 3.200 1.800c-.7.5-1.100.9-1.100 1.700m0 2.300h.01",
  more: "M3.500 8h.01M8 8h.01m4.500 0h.01",
  left: "M10 3 5 8l5 5",
  right: "m6 3 5 5-5 5",
  warn: "M8 2.300 14.200 13H1.800zM8 6.300v3.200m0 1.800h.01",
  external: "M9.500 2.500h4v4m0-4L7.500 8.500M6 3.500H2.500v10h10V10",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
