import { z } from "zod";

export const LONGEST_THREAD_ID = 128;

export const threadId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,128}$/, "must be 1 to 128 letters, digits, `.`, `_` or `-`")
  .describe("1 to 128 letters, digits, `.`, `_` or `-`.");
