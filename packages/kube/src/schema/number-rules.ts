import type { Findings } from "./findings.ts";
import type { SchemaNode } from "./schema-node.ts";

const INT64 = 2 ** 63;
const FLOAT32_MAX = 3.4028234663852886e38;

/** A number as Go prints a float: `1e+06`, `2.5`. */
function goFloat(value: number): string {
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** Whether a number is whole to Go's JSON validator, which forgives a tiny relative error. */
export function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  return whole !== 0 && Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

/** Whether a number is read as int64 from JSON. */
export const isInt64 = (value: number): boolean => Number.isInteger(value) && value < INT64 && value >= -INT64;

function outOfRange(value: number, type: string, format: string): boolean {
  if (type === "integer") {
    if (!isInt64(value)) return true;
    return format === "int32" && (value > 2147483647 || value < -2147483648);
  }
  return format === "float" && Math.abs(value) > FLOAT32_MAX;
}

/** minimum, maximum, multipleOf, and the ranges of int32 and float. */
export function checkNumber(value: number, node: SchemaNode, found: Findings): void {
  const { minimum, maximum, multipleOf } = node;
  const type = node.intOrString ? "" : node.type;
  const format = type === "integer" || type === "number" ? node.checkedFormat : "";
  const fits = (limit: number, what: string): boolean => {
    if (!outOfRange(limit, type, format)) return true;
    const wanted = format === "" ? `${type} (default format)` : `${type} with format ${format}`;
    found.general(`${what} value must be of type ${wanted} in ${found.path}`);
    return false;
  };
  fits(value, "Checked");
  // Whole numbers meet their limits as integers: a limit of 2.5 counts as 2.
  const native = isInt64(value);
  if (multipleOf !== undefined) {
    const whole = fits(multipleOf, "MultipleOf") && native;
    const factor = whole ? Math.trunc(multipleOf) : multipleOf;
    if (factor <= 0) {
      found.positiveFactor(factor);
    } else if (whole ? value % factor !== 0 : !isWhole(factor < 1 ? (1 / factor) * value : value / factor)) {
      found.breaks(value, `should be a multiple of ${shown(factor, whole)}`);
    }
  }
  if (minimum !== undefined) {
    const limit = fits(minimum, "Minimum boundary") && native ? Math.trunc(minimum) : minimum;
    if (value < limit || (node.exclusiveMinimum && value === limit)) {
      found.breaks(
        value,
        `should be greater than ${node.exclusiveMinimum ? "" : "or equal to "}${shown(limit, native)}`,
      );
    }
  }
  if (maximum !== undefined) {
    const limit = fits(maximum, "Maximum boundary") && native ? Math.trunc(maximum) : maximum;
    if (value > limit || (node.exclusiveMaximum && value === limit)) {
      found.breaks(value, `should be less than ${node.exclusiveMaximum ? "" : "or equal to "}${shown(limit, native)}`);
    }
  }
  found.matches++;
}

const shown = (limit: number, native: boolean): string => (native && isInt64(limit) ? String(limit) : goFloat(limit));
