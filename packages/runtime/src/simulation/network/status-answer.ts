import {
  MODIFIED,
  StatusError,
  conflict,
  expired,
  internalError,
  serviceUnavailable,
  statusJson,
  tooManyRequests,
} from "@gatewright/kube";
import type { Dice } from "../dice.ts";
import type { CallFaultKind } from "../faults/fault-kind.ts";
import type { Answer } from "./ask-server.ts";
import type { Call } from "./call.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** A refusal as the server words it. */
export function statusAnswer(error: StatusError): Answer {
  const seconds = error.details?.retryAfterSeconds;
  const headers = seconds === undefined ? JSON_TYPE : { ...JSON_TYPE, "retry-after": String(seconds) };
  const body = Buffer.from(JSON.stringify(statusJson(error.toStatus())));
  return { kind: "whole", status: error.code, headers, body };
}

/** What the server, or something before it, answers instead of doing a call. Undefined for faults that are no answers. */
export function answerInstead(fault: CallFaultKind | undefined, call: Call, dice: Dice): Answer | undefined {
  switch (fault) {
    case "conflict": {
      const [resource = "", ...group] = call.resource.split(".");
      return statusAnswer(conflict({ group: group.join("."), resource }, call.name, MODIFIED));
    }
    case "gone":
      return call.verb === "watch" && dice.chance(0.5)
        ? streamOf(goneFrame())
        : statusAnswer(expired("too old resource version"));
    case "throttle":
      return statusAnswer(tooManyRequests("too many requests, please try again later", dice.integer(1, 5)));
    case "error-500":
      return statusAnswer(internalError("injected by the simulation"));
    case "error-503":
      return statusAnswer(serviceUnavailable("injected by the simulation", dice.chance(0.5) ? 1 : undefined));
    case "error-504":
      return timedOut();
    case "garbage": {
      const body = dice.pick([
        "<html><body>Bad gateway</body></html>",
        "",
        '{"kind":"List","items":[{"meta',
        "\u0000\u00ff{",
      ]);
      return { kind: "whole", status: 200, headers: { "content-type": "text/html" }, body: Buffer.from(body) };
    }
    default:
      return undefined;
  }
}

/** 504: what was asked may have been done. */
export function timedOut(): Answer {
  const message = "request did not complete within requested timeout - context deadline exceeded";
  return statusAnswer(new StatusError({ code: 504, reason: "Timeout", message, details: {} }));
}

/** The ERROR event by which a watch says that its version is forgotten. */
export function goneFrame(): Buffer {
  const object = statusJson(expired("too old resource version").toStatus());
  return Buffer.from(`${JSON.stringify({ type: "ERROR", object })}\n`);
}

function streamOf(frame: Buffer): Answer {
  return {
    kind: "stream",
    status: 200,
    headers: JSON_TYPE,
    start(write, end) {
      write(frame);
      end();
      return () => {};
    },
  };
}
