/** 1 to 64 characters that are valid in a file name. */
export const DATABASE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Database names are file names without folders. */
export function isDatabaseName(name: string): boolean {
  return DATABASE_NAME.test(name);
}
