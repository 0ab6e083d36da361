import { reasonEntry } from "@gatewright/explain";
import type { Hop, Trial } from "@gatewright/explain";
import { clean, columns } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { signOf } from "../screen/state-sign.ts";

const TITLES: Readonly<Record<Hop["step"], string>> = {
  resolve: "DNS",
  connect: "Connection",
  tls: "TLS",
  request: "Answer",
};

/** One request for people: what came of it, what to do if it failed, then each hop with its time. */
export function tryText({ url, hops, status, body }: Trial, paint: Paint, wide: boolean): string {
  const total = hops.reduce((sum, { ms }) => sum + ms, 0);
  const failed = hops.find(({ ok }) => !ok);
  const result =
    failed === undefined ? `answers ${status} after ${milliseconds(total)}` : `fails at ${TITLES[failed.step]}`;
  const head = `${signOf(failed === undefined ? "ok" : "broken", paint)} ${paint("bold", clean(`${url} ${result}`))}`;
  const advice = failed === undefined ? [] : ["", ...causeLines(url, failed, paint)];
  const rows = hops.map(({ step, ok, ms, detail }) => [
    `${signOf(ok ? "ok" : "broken", paint)} ${TITLES[step]}`,
    milliseconds(ms).padStart(9),
    ok ? clean(detail) : "",
  ]);
  const shown = wide && body !== undefined && body !== "" ? ["", ...body.split("\n").map(clean)] : [];
  return `${[head, ...advice, "", ...columns(rows, "  "), ...shown].join("\n")}\n`;
}

function causeLines(url: string, { step, reason, detail }: Hop, paint: Paint): readonly string[] {
  const remedy = reasonEntry(reason, ["found"])?.remedy ?? "";
  const { hostname } = new URL(url);
  return [
    `${paint("bold", "Cause")}  ${TITLES[step]}: ${clean(detail)} ${paint("dim", `(${reason})`)}`,
    `${paint("bold", "Next ")}  ${remedy}`.trimEnd(),
    `         ${paint("dim", "$")} gatewright why ${clean(hostname)}`,
  ];
}

function milliseconds(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
