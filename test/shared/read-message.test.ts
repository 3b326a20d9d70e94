import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readMessage } from "../../src/shared/read-message.ts";

it("returns a whole message although the pipe stays open", async () => {
  const pipe = new PassThrough();
  const read = readMessage(pipe);
  pipe.write('\uFEFF{"prompt": "a}');
  pipe.write('", "cwd": "/"}\n');
  expect((await read).toString("utf8")).toBe('\uFEFF{"prompt": "a}", "cwd": "/"}\n');
});

it("returns everything up to the end if that is not a message", async () => {
  const pipe = new PassThrough();
  pipe.end("not json }");
  expect((await readMessage(pipe)).toString("utf8")).toBe("not json }");
});
