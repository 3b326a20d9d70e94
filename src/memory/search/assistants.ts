export const ASSISTANTS: readonly string[] = ["assistant", "agent", "ai", "bot", "model"];

export function isAssistant(by: string | null): boolean {
  return by !== null && ASSISTANTS.includes(by.trim().toLowerCase());
}
