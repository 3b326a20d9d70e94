import { z } from "zod";
import { isObject, parseFilter } from "./filter.ts";
import { ScimError } from "./scim-error.ts";

type Resource = Record<string, unknown>;

const MOST_OPERATIONS = 1_000;

const message = z.object({
  Operations: z
    .array(
      z.object({
        op: z.string().transform((op) => op.toLowerCase()),
        path: z.string().optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(MOST_OPERATIONS),
});

/** `emails[type eq "work"].value`, `name.givenName`, `members` */
const PATH = /^(?:urn:[\w:.]+:)?([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/;

/** Throws ScimError. */
export function operationsOf(
  body: unknown,
): readonly z.output<typeof message>["Operations"][number][] {
  const parsed = message.safeParse(body);
  if (parsed.success) return parsed.data.Operations;
  throw new ScimError(400, "Operations: are needed", "invalidSyntax");
}

/**
 * A resource after the operations of a PATCH (RFC 7644, 3.5.2), which all or none are done. What is
 * given stays as it was. Throws ScimError.
 */
export function patched(resource: Resource, body: unknown): Resource {
  const after = structuredClone(resource);
  for (const { op, path, value } of operationsOf(body)) {
    if (op !== "add" && op !== "replace" && op !== "remove") {
      throw new ScimError(400, "op: must be add, replace or remove", "invalidSyntax");
    }
    if (path !== undefined) apply(after, { op, path, value });
    else if (op === "remove") throw new ScimError(400, "path: is needed to remove", "noTarget");
    else if (isObject(value)) {
      for (const [name, part] of Object.entries(value))
        apply(after, { op, path: name, value: part });
    } else throw new ScimError(400, "value: must be an object without a path", "invalidValue");
  }
  return after;
}

interface Operation {
  readonly op: "add" | "replace" | "remove";
  readonly path: string;
  readonly value: unknown;
}

function apply(resource: Resource, { op, path, value }: Operation): void {
  const [, name, filter, part] = PATH.exec(path) ?? [];
  if (name === undefined) throw new ScimError(400, "path: cannot be read", "invalidPath");
  const key = keyIn(resource, name);
  if (filter !== undefined) {
    inElements(resource, key, { op, value, filter, part });
    return;
  }
  if (part === undefined) {
    change(resource, key, op, value);
    return;
  }
  const inner = isObject(resource[key]) ? { ...resource[key] } : {};
  change(inner, keyIn(inner, part), op, value);
  resource[key] = inner;
}

function change(target: Resource, key: string, op: Operation["op"], value: unknown): void {
  const known = target[key];
  if (op === "remove") {
    // Some directories name what goes in the value instead of the path.
    if (Array.isArray(known) && Array.isArray(value)) target[key] = without(known, value);
    else delete target[key];
    return;
  }
  const isList = Array.isArray(known) || Array.isArray(value);
  if (op === "add" && isList) {
    const given = Array.isArray(value) ? value : [value];
    const kept = Array.isArray(known) ? known : [];
    target[key] = [...without(kept, given), ...given];
    return;
  }
  target[key] = isObject(known) && isObject(value) ? { ...known, ...value } : value;
}

interface InElements {
  readonly op: Operation["op"];
  readonly value: unknown;
  readonly filter: string;
  readonly part: string | undefined;
}

function inElements(
  resource: Resource,
  key: string,
  { op, value, filter, part }: InElements,
): void {
  const matches = parseFilter(filter);
  const list = Array.isArray(resource[key]) ? (resource[key] as unknown[]) : [];
  const isMeant = (element: unknown) => isObject(element) && matches(element);
  if (op === "remove" && part === undefined) {
    resource[key] = list.filter((element) => !isMeant(element));
    return;
  }
  if (!list.some(isMeant)) {
    // What a filter of one comparison asks for is made of it, as directories expect.
    const [, name, wanted] = /^\s*(\w+)\s+eq\s+"([^"]*)"\s*$/i.exec(filter) ?? [];
    if (op === "remove" || name === undefined || part === undefined) {
      throw new ScimError(400, "path: nothing matches its filter", "noTarget");
    }
    resource[key] = [...list, { [name]: wanted, [part]: value }];
    return;
  }
  resource[key] = list.map((element) => {
    if (!isMeant(element) || !isObject(element)) return element;
    if (part === undefined) return isObject(value) ? { ...element, ...value } : element;
    const inner = { ...element };
    change(inner, keyIn(inner, part), op, value);
    return inner;
  });
}

/** The name as it is written there: those of SCIM are the same in capitals. */
function keyIn(target: Resource, name: string): string {
  return Object.keys(target).find((key) => key.toLowerCase() === name.toLowerCase()) ?? name;
}

function without(list: readonly unknown[], gone: readonly unknown[]): unknown[] {
  const ids = gone.map(idOf);
  return list.filter((element) => !ids.includes(idOf(element)));
}

function idOf(element: unknown): unknown {
  return isObject(element) ? (element.value ?? JSON.stringify(element)) : element;
}
