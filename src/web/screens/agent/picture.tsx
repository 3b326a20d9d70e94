import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../../page.ts";

const MAX_PIXELS = 1_600;
const MENTION = /(?:^|\s)@image:([0-9a-f]{16}\.\w{3,4})(?=\s|$)/g;

/** A message without the images that it mentions, and their names. */
export function splitImages(text: string): {
  readonly words: string;
  readonly names: readonly string[];
} {
  const names = [...text.matchAll(MENTION)].map(([, name = ""]) => name);
  return { words: names.length === 0 ? text : text.replace(MENTION, "").trim(), names };
}

/** A stored image. Its request carries the token, which an `img` element cannot send. */
export function StoredPicture({ name }: { readonly name: string }) {
  const { agent } = usePage();
  const load = async () => {
    const headers = { authorization: `Bearer ${agent.access.token ?? ""}` };
    const response = await fetch(`/agent/images/${name}`, { headers });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.blob();
  };
  return <Picture id={name} label={`Image ${name}`} load={load} />;
}

interface PictureProps {
  readonly id: string;
  readonly label: string;
  load(): Promise<Blob>;
}

/** Drawn on a canvas: the content security policy allows no `blob:` images. */
export function Picture({ id, label, load }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLarge, setLarge] = useState(false);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    load()
      .then((blob) => draw(canvas.current, blob))
      // Images are deleted after 30 days; the name says which one it was.
      .catch(() => setMissing(true));
  }, [id]);
  if (isMissing) return <span class="chip">{label}: not available</span>;
  return (
    <button
      type="button"
      class="picture"
      aria-label={label}
      aria-expanded={isLarge}
      onClick={() => setLarge(!isLarge)}
    >
      <canvas ref={canvas} width={1} height={1} />
    </button>
  );
}

async function draw(canvas: HTMLCanvasElement | null, blob: Blob): Promise<void> {
  const image = await createImageBitmap(blob);
  const scale = Math.min(1, MAX_PIXELS / Math.max(image.width, image.height));
  if (canvas !== null) {
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  image.close();
}
