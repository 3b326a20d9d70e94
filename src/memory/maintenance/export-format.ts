/**
 * An export is one JSON object a line. The first is the header; every other holds one row:
 * `{"table": "episodes", "row": {…}}`, where the row has the columns of the table.
 */
export const EXPORT_FORMAT = "cairn-export";
/** Counts up with every change that an older cairn could not read. */
export const EXPORT_VERSION = 1;

export const EXPORT_HEADER = JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION });
