/**
 * Runs `clients` clients for `seconds`. Each sends its next call when the previous one has
 * returned.
 */
export async function runClients(
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
  call: () => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + 1_000 * seconds;
  const client = async () => {
    while (performance.now() < end) await call();
  };
  await Promise.all(Array.from({ length: clients }, client));
}
