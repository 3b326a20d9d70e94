import type { ModelMessage } from "../../llm/index.ts";
import type { Picture } from "../images/picture.ts";

/** What a message of the user holds for the model. */
export type UserContent = Extract<ModelMessage, { role: "user" }>["content"];

export function userContent(text: string, pictures: readonly Picture[]): UserContent {
  if (pictures.length === 0) return text;
  const images = pictures.map(({ data, mediaType }) => ({
    type: "image" as const,
    image: data,
    mediaType,
  }));
  return [{ type: "text", text }, ...images];
}
