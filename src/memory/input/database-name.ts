/** 1 to 64 characters; what a name, and so a file, may be called. */
export const DATABASE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A database name is also a file name: it can name no other folder. */
export function isDatabaseName(name: string): boolean {
  return DATABASE_NAME.test(name);
}
