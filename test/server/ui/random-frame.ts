import fc from "fast-check";

const types = fc.constantFrom(
  "message.user",
  "thread.create",
  "thread.list",
  "run.cancel",
  "thread.subscribe",
  "thread.history",
  "session.start",
);

/** From random bytes to nearly valid messages; some name the thread `a`. */
export const randomFrame = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({ type: fc.oneof(types, fc.string()), payload: fc.anything() })
    .map((message) => JSON.stringify(message)),
  fc
    .record({
      type: types,
      payload: fc.record(
        {
          threadId: fc.oneof(fc.constant("a"), fc.string()),
          text: fc.string(),
          sinceSeq: fc.integer(),
        },
        { requiredKeys: [] },
      ),
    })
    .map((message) => JSON.stringify(message)),
);
