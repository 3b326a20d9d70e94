import type { Call } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";
import { DiffView } from "./diff-view.tsx";

/** More than a line has room for. */
const LONG = 90;

export function CallCard({ of }: { readonly of: Call }) {
  const { name, about, result, output, label } = of;
  const state = result === undefined ? "running" : result.isError === true ? "failed" : "done";
  return (
    <details
      class="call"
      data-state={state}
      open={state === "failed" || result?.diff !== undefined}
    >
      <summary>
        <span class="call-state" role="img" aria-label={state} />
        {label !== undefined && <Stored as="span" class="quiet" text={label} />}
        <Stored as="b" text={name} />
        <Stored as="code" class="call-about" text={about} />
        {result !== undefined && (
          <Stored as="span" class="quiet" text={firstLine(result.summary)} />
        )}
      </summary>
      {output !== undefined && output !== "" && (
        <Stored as="pre" class="call-output" text={output} />
      )}
      {result?.diff !== undefined && <DiffView of={result.diff} />}
      <CallBody of={of} />
    </details>
  );
}

function CallBody({ of: { args, about, result } }: { readonly of: Call }) {
  const whole = wholeArguments(args, about);
  const said = result?.output ?? "";
  const summary = result?.summary ?? "";
  const isLong = summary.includes("\n") || summary.length > LONG;
  return (
    <>
      {whole !== "" && <Stored as="pre" class="call-args" text={whole} />}
      {isLong && <Stored as="pre" class="call-output" text={summary} />}
      {said !== "" && <Stored as="pre" class="call-output" text={said} />}
    </>
  );
}

function wholeArguments(args: unknown, about: string): string {
  if (args === undefined || args === null) return "";
  const values = typeof args === "object" ? Object.values(args) : [args];
  if (values.length === 1 && String(values[0]) === about) return "";
  return typeof args !== "object"
    ? String(args)
    : Object.entries(args)
        .map(([name, value]) => `${name}: ${asWritten(value)}`)
        .join("\n");
}

/** Texts of several lines are read better as they are than as JSON. */
function asWritten(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, undefined, 2);
  return value.includes("\n") ? `\n${value}` : value;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
