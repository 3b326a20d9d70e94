/** An image that goes with the next message. */
export interface Attachment {
  readonly name: string;
  /** Base64. */
  readonly data: string;
}

const IMAGES = /^image\/(png|jpeg|gif|webp)$/;
const MAX_ITEMS = 10;

export async function readImages(files: Iterable<File>): Promise<readonly Attachment[]> {
  const images = [...files].filter(({ type }) => IMAGES.test(type)).slice(0, MAX_ITEMS);
  return Promise.all(images.map(async (file) => ({ name: file.name, data: await base64Of(file) })));
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}
