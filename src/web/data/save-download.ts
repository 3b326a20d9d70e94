export async function saveDownload(response: Response, file: string): Promise<void> {
  saveBlob(await response.blob(), file);
}

export function saveBlob(blob: Blob, file: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
