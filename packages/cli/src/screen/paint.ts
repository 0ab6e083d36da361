import { plainPaint, terminalPaint } from "@gatewright/infra/paint";
import type { Paint } from "@gatewright/infra/paint";

export type { Paint } from "@gatewright/infra/paint";

/** Colours, where a terminal is looking and nobody asked for none: NO_COLOR, TERM=dumb, --no-color. */
export function chosenPaint(env: NodeJS.ProcessEnv, isTerminal: boolean, noColor: boolean): Paint {
  const forced = (env["FORCE_COLOR"] ?? "") !== "" && env["FORCE_COLOR"] !== "0";
  const quiet = noColor || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return !quiet && (isTerminal || forced) ? terminalPaint : plainPaint;
}
