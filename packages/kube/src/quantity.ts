/**
 * Resource quantities (`500m`, `1Gi`, `1e3`): exact decimal numbers with a family of suffixes. Parsing and printing agree
 * with kube-apiserver to the letter, its oddities included, because quantities are compared and shown as texts.
 */

type Format = "decimal" | "binary" | "exponent";

/** An exact amount, `mantissa * 10^scale`, and the suffix family in which it was written. Immutable. */
export interface Quantity {
  readonly mantissa: bigint;
  readonly scale: number;
  readonly format: Format;
  /** The text as written, where that is kept instead of a canonical one. */
  readonly text: string | undefined;
  /** Whether mantissa and scale came about within 64 bits. Wide ones never count as integers. */
  readonly wide: boolean;
}

const QUANTITY_FORMAT_ERROR =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_ERROR = "unable to parse numeric part of quantity";
const SUFFIX_ERROR = "unable to parse quantity's suffix";

/** A text that is not a quantity. The message is kube-apiserver's. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "QuantityError";
  }
}

const DECIMAL: ReadonlyMap<string, number> = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const DECIMAL_SUFFIX = new Map([...DECIMAL].map(([suffix, scale]) => [scale, suffix]));
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const NANO = -9;
const MAX_INT64 = (1n << 63n) - 1n;
/** Exponents beyond this would need more memory than any quantity is worth. */
const MAX_EXPONENT = 10_000;

const fits = (value: bigint): boolean => value <= MAX_INT64 && value >= -MAX_INT64 - 1n;
const pow10 = (exponent: number): bigint => 10n ** BigInt(exponent);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** The sign and digits; then a suffix of letters, a sign and digits. */
const SHAPE = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;
const EXPONENT = /^[eE]([+-]?[0-9]+)$/;

function readSuffix(suffix: string): { format: Format; exponent: number } {
  const decimal = DECIMAL.get(suffix);
  if (decimal !== undefined) return { format: "decimal", exponent: decimal };
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return { format: "binary", exponent: binary * 10 };
  const exponent = Number(EXPONENT.exec(suffix)?.[1] ?? NaN);
  if (!(Math.abs(exponent) <= MAX_EXPONENT)) throw new QuantityError(SUFFIX_ERROR);
  return { format: "exponent", exponent };
}

/** Reads a quantity. Throws {@link QuantityError}. */
export function parseQuantity(text: string): Quantity {
  const shape = text === "" ? null : SHAPE.exec(text);
  if (!shape) throw new QuantityError(QUANTITY_FORMAT_ERROR);
  const [, sign, numerator = "", fraction = "", suffix = ""] = shape;
  const { format, exponent } = readSuffix(suffix);
  const whole = numerator === "" ? "0" : numerator;
  const digits = whole + fraction;
  const magnitude = BigInt(digits);
  const negative = sign === "-";
  const decimalScale = (format === "binary" ? 0 : exponent) - fraction.length;

  if (fastPrecision(format, exponent, whole, fraction) >= 0 && decimalScale >= NANO) {
    const value = format === "binary" ? magnitude << BigInt(exponent) : magnitude;
    if (fits(value)) {
      const canonical =
        format === "binary"
          ? (magnitude & 7n) !== 0n
          : decimalScale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
      return {
        mantissa: negative ? -value : value,
        scale: decimalScale,
        format,
        text: canonical ? text : undefined,
        wide: false,
      };
    }
  }
  // Without a digit only the fast way above takes the text for a zero.
  if (numerator === "" && fraction === "" && !text.includes("0")) throw new QuantityError(NUMERIC_ERROR);
  return parseWide(magnitude, decimalScale, negative, format, exponent);
}

/** How many digits are to spare in 64 bits; negative when the wide form is needed. */
function fastPrecision(format: Format, exponent: number, whole: string, fraction: string): number {
  if (format !== "binary") return 18 - whole.length - fraction.length;
  return fraction === "" ? 14 - whole.length - Math.trunc((exponent * 3) / 10) : -1;
}

function parseWide(
  digits: bigint,
  decimalScale: number,
  negative: boolean,
  family: Format,
  exponent: number,
): Quantity {
  let format = family;
  let mantissa = format === "binary" ? digits << BigInt(exponent) : digits;
  let scale = decimalScale;
  if (mantissa !== 0n && scale < NANO) {
    // Whoever asks for some, however little, gets some: rounding is away from zero.
    mantissa = divideUp(mantissa, NANO - scale);
    scale = NANO;
  }
  const amount: Quantity = { mantissa, scale, format, text: undefined, wide: true };
  if (format === "binary") {
    if (compareQuantities(amount, integerQuantity(MAX_INT64)) > 0) [mantissa, scale] = [MAX_INT64, 0];
    else if (mantissa !== 0n && compareQuantities(amount, integerQuantity(1n)) < 0) format = "decimal";
  }
  return { mantissa: negative ? -mantissa : mantissa, scale, format, text: undefined, wide: true };
}

function divideUp(value: bigint, tens: number): bigint {
  const divisor = pow10(tens);
  return (value + divisor - 1n) / divisor;
}

/** A whole number as a quantity. */
export function integerQuantity(value: bigint): Quantity {
  return { mantissa: value, scale: 0, format: "decimal", text: undefined, wide: !fits(value) };
}

/** The quantity of a JSON number or string, or undefined when it is none. */
export function quantityOf(value: unknown): Quantity | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return parseQuantity(String(value).trim());
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

export function quantitySign(q: Quantity): -1 | 0 | 1 {
  return q.mantissa === 0n ? 0 : q.mantissa < 0n ? -1 : 1;
}

/** Negative, zero or positive, as a sort wants it. Families do not count: `1Ki` equals `1024`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const scale = Math.min(a.scale, b.scale);
  const left = a.mantissa * pow10(a.scale - scale);
  const right = b.mantissa * pow10(b.scale - scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The sum, in the family of the first unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.mantissa === 0n ? b.format : a.format;
  if (b.mantissa === 0n) return { ...a, format, text: undefined };
  if (a.mantissa === 0n) return { ...b, format, text: undefined, wide: a.wide || b.wide };
  const scale = Math.min(a.scale, b.scale);
  const mantissa = a.mantissa * pow10(a.scale - scale) + b.mantissa * pow10(b.scale - scale);
  return { mantissa, scale, format, text: undefined, wide: a.wide || b.wide || !fits(mantissa) };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { ...b, mantissa: -b.mantissa });
}

/**
 * The amount as a 64-bit integer, or undefined. As in kube-apiserver, an amount that was written with a fraction or a
 * fractional suffix (`1000m`, `1.0`, `1.5Gi`) is none even where its value is whole.
 */
export function asInteger(q: Quantity): bigint | undefined {
  if (q.wide || q.scale < 0) return undefined;
  const value = q.mantissa * pow10(q.scale);
  return fits(value) ? value : undefined;
}

/**
 * The amount rounded away from zero to a multiple of `10^scale`. Amounts in a pod's resources are kept to the milli
 * (`scale` -3). A text that needs no rounding is kept.
 */
export function roundQuantityUp(q: Quantity, scale: number): Quantity {
  if (q.scale >= scale) return q.wide ? { ...q, text: undefined } : q;
  return { ...q, mantissa: roundedUp(q, scale), scale, text: undefined };
}

/** The amount in units of `10^scale`, rounded away from zero: `roundedUp(q, -3)` are millis. */
export function roundedUp(q: Quantity, scale = 0): bigint {
  if (q.scale >= scale) return q.mantissa * pow10(q.scale - scale);
  const up = divideUp(abs(q.mantissa), scale - q.scale);
  return q.mantissa < 0n ? -up : up;
}

/** About the amount: digits beyond those of a double are lost. */
export function asApproximateFloat(q: Quantity): number {
  const base = Number(q.mantissa);
  return q.scale === 0 ? base : base * Number(`1e${q.scale}`);
}

/** The amount as kube-apiserver prints it: a text in its canonical form, or as it was written where that is kept. */
export function formatQuantity(q: Quantity): string {
  if (q.text !== undefined) return q.text;
  if (q.mantissa === 0n) return "0";
  if (q.format === "binary") {
    const binary = formatBinary(q);
    if (binary !== undefined) return binary;
  }
  const digits = String(abs(q.mantissa));
  const significant = digits.replace(/0+$/, "");
  const exponent = q.scale + digits.length - significant.length;
  const shift = ((exponent % 3) + 3) % 3;
  const number = `${q.mantissa < 0n ? "-" : ""}${significant}${"0".repeat(shift)}`;
  const scale = exponent - shift;
  if (q.format === "exponent") return scale === 0 ? number : `${number}e${scale}`;
  // Beyond exa there is no suffix, and kube-apiserver prints none.
  return `${number}${DECIMAL_SUFFIX.get(scale) ?? ""}`;
}

/** Undefined for small or fractional amounts, which are shown as decimals. */
function formatBinary(q: Quantity): string | undefined {
  const value = roundedUp(q);
  if (compareQuantities(q, integerQuantity(value)) !== 0 || abs(value) < 1024n) return undefined;
  let number = value;
  let power = 0;
  while (number % 1024n === 0n) {
    number /= 1024n;
    power++;
  }
  return `${number}${BINARY[power] ?? ""}`;
}

/** The text that is stored for a written quantity. Throws {@link QuantityError}. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}
