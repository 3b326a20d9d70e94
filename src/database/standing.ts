/** True if a database can be read and written by this version of cairn. */
export interface Standing {
  readonly state: "ok" | "unreachable" | "newer" | "older" | "read_only";
  readonly message: string;
}

export const IN_ORDER: Standing = { state: "ok", message: "" };
