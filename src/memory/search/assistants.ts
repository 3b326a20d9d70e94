/** How clients name who answers a person, as whoever said something. */
export const ASSISTANTS: readonly string[] = ["assistant", "agent", "ai", "bot", "model"];

export function isAssistant(by: string | null): boolean {
  return by !== null && ASSISTANTS.includes(by.trim().toLowerCase());
}
