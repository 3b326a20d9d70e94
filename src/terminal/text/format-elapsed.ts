/** Such as `8s`, `1m 05s`, `1h 02m`. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const padTwo = (value: number) => String(value).padStart(2, "0");
  if (minutes < 60) return `${minutes}m ${padTwo(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${padTwo(minutes % 60)}m`;
}
