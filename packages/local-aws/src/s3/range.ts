import { AwsError } from "../aws-error.ts";
import type { ByteRange } from "./blobs.ts";

/** The bytes that a Range header means: undefined when it is none that S3 understands, and then the whole object is meant. */
export function rangeOf(header: string, size: number): ByteRange | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (from === "" && to === "") return undefined;
  if (from === "") {
    const last = Number(to);
    if (last === 0) throw notSatisfiable(header, size);
    return { start: Math.max(size - last, 0), end: size };
  }
  const start = Number(from);
  if (to !== "" && Number(to) < start) return undefined;
  if (start >= size) throw notSatisfiable(header, size);
  return { start, end: to === "" ? size : Math.min(Number(to) + 1, size) };
}

function notSatisfiable(header: string, size: number): AwsError {
  return new AwsError("InvalidRange", "The requested range is not satisfiable", {
    status: 416,
    headers: { "content-range": `bytes */${size}` },
    details: { RangeRequested: header, ActualObjectSize: size },
  });
}
