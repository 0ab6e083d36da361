import { unauthorized } from "@gatewright/kube";
import type { Transport } from "@gatewright/runtime";
import type { Caller, HttpAnswer } from "@gatewright/runtime/serving";
import { CONSOLE_API_PATH, CONSOLE_PATH } from "./console.ts";
import type { Console, ConsoleQuestion } from "./console.ts";

/** A path and who answers it, as the embedded API server takes it. */
interface ServedPath {
  readonly path: string;
  readonly access: "anybody" | "users";
  handle(question: ConsoleQuestion, caller: Caller): Promise<HttpAnswer> | HttpAnswer;
}

/** Leads to the page. */
export function toConsole(): HttpAnswer {
  return { status: 302, headers: { location: CONSOLE_PATH }, body: Buffer.alloc(0) };
}

const UNKNOWN = "system:unauthenticated";

/** The console on the API server that it shows: the page reads and writes objects there itself. */
export function consolePaths(console: Console, as: (caller: Caller) => Transport): readonly ServedPath[] {
  return [
    {
      path: CONSOLE_API_PATH,
      access: "users",
      handle(question, caller) {
        if (caller.groups.includes(UNKNOWN)) throw unauthorized();
        return console.api(question, as(caller));
      },
    },
    { path: CONSOLE_PATH, access: "anybody", handle: (question) => console.page(question) },
    { path: CONSOLE_PATH.slice(0, -1), access: "anybody", handle: toConsole },
  ];
}
