/** An image attached to the next message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  /** Base64. */
  readonly data: string;
}

export const IMAGE_TYPES = "image/png,image/jpeg,image/gif,image/webp";
const MAX_ITEMS = 10;

export async function readImages(files: Iterable<File>): Promise<readonly Attachment[]> {
  const types = IMAGE_TYPES.split(",");
  const images = [...files].filter(({ type }) => types.includes(type)).slice(0, MAX_ITEMS);
  return Promise.all(
    images.map(async (file) => {
      const id = `${file.name} ${file.size} ${file.lastModified}`;
      return { id, name: file.name, file, data: await base64Of(file) };
    }),
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}
