export type Reader = "person" | "model";
