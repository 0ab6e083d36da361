import { MalformedError } from "../malformed-error.ts";
import type { Shape, ShapeUse, TimestampFormat } from "../model.ts";

/** A value that is one text on the wire. Times are milliseconds since the Unix epoch. */
export type Scalar = string | number | boolean | Uint8Array;

type ScalarShape = Exclude<Shape, { readonly type: "structure" | "list" | "map" }>;

/** Whether values of a shape are one text on the wire. */
export function isScalar(shape: Shape): shape is ScalarShape {
  return shape.type !== "structure" && shape.type !== "list" && shape.type !== "map";
}

/** The format of a time: the use says so, or the shape, or it is what the place on the wire has by default. */
export function timestampFormat(shape: Shape, use: ShapeUse | undefined, usual: TimestampFormat): TimestampFormat {
  return use?.timestampFormat ?? (shape.type === "timestamp" ? shape.timestampFormat : undefined) ?? usual;
}

/** The text of a scalar. */
export function scalarText(shape: ScalarShape, value: Scalar, format: TimestampFormat): string {
  if (shape.type === "blob") {
    return Buffer.from(value instanceof Uint8Array ? value : String(value)).toString("base64");
  }
  return shape.type === "timestamp" ? timeText(Number(value), format) : String(value);
}

/** The scalar of a text. Throws {@link MalformedError} when it is none of that type; `what` names it. */
export function scalarOf(shape: ScalarShape, text: string, what: string): Scalar {
  switch (shape.type) {
    case "string":
      return text;
    case "blob":
      return Buffer.from(text, "base64");
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw new MalformedError(`${what} must be true or false`);
    case "timestamp": {
      const ms = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
      if (Number.isNaN(ms)) throw new MalformedError(`${what} is not a time`);
      return ms;
    }
    case "integer":
    case "long":
      if (/^[+-]?\d{1,19}$/.test(text)) return Number(text);
      throw new MalformedError(`${what} is not a whole number`);
    default: {
      const number = Number(text);
      if (text.trim() === "" || Number.isNaN(number)) throw new MalformedError(`${what} is not a number`);
      return number;
    }
  }
}

function timeText(ms: number, format: TimestampFormat): string {
  switch (format) {
    case "iso8601":
      return new Date(ms).toISOString().replace(/\.000Z$/, "Z");
    case "unixTimestamp":
      return String(ms / 1000);
    case "rfc822":
      return new Date(ms).toUTCString();
  }
}
