import type { Page } from "playwright-core";

/** Returns the bytes transferred, with headers, until an element is usable. */
export async function loadedBytes(
  page: Page,
  address: string,
  usable: () => Promise<void>,
): Promise<number> {
  let bytes = 0;
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(address);
  await usable();
  await network.detach();
  return bytes;
}
