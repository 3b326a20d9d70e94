/** Creates a thread id without `randomUUID`, which requires https. */
export function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
