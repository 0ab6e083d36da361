import { invalid } from "./refusals.ts";

/** A decimal number: the sign, and 0.digits times ten to the power of the exponent. Zero has no digits. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;
const MOST_DIGITS = 38;
const LARGEST_EXPONENT = 126;
const LEAST_EXPONENT = -129;

/** A number as DynamoDB gives it back: plain digits, nothing that can be left out. Refuses what is none, or too long. */
export function normalNumber(text: string): string {
  return plain(parsed(text));
}

/** Negative, zero or positive, as numbers are ordered. Exact, whatever their size. */
export function compareNumbers(one: string, other: string): number {
  const [a, b] = [parsed(one), parsed(other)];
  const signs = sign(a) - sign(b);
  if (signs !== 0) return signs;
  const exponents = a.exponent - b.exponent;
  const larger = exponents === 0 ? (a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0) : exponents;
  return a.negative ? -larger : larger;
}

/** The sum of two numbers, exactly. */
export function addNumbers(one: string, other: string, subtract = false): string {
  const [a, b] = [parsed(one), parsed(other)];
  const least = Math.min(a.exponent - a.digits.length, b.exponent - b.digits.length);
  const scaled = ({ negative, digits, exponent }: Decimal): bigint => {
    const whole = BigInt(digits === "" ? "0" : digits + "0".repeat(exponent - digits.length - least));
    return negative ? -whole : whole;
  };
  const sum = subtract ? scaled(a) - scaled(b) : scaled(a) + scaled(b);
  return normalNumber(`${sum}e${least}`);
}

function parsed(text: string): Decimal {
  const [, mark, whole = "", part = "", power = "0"] = NUMBER.exec(text) ?? [];
  if (mark === undefined || whole + part === "") {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text.slice(0, 64)}`);
  }
  const all = whole + part;
  const leading = all.length - all.replace(/^0+/, "").length;
  const digits = all.slice(leading).replace(/0+$/, "");
  const exponent = digits === "" ? 0 : whole.length - leading + Number(power);
  if (digits.length > MOST_DIGITS)
    throw invalid(`Attempting to store more than ${MOST_DIGITS} significant digits in a Number`);
  if (exponent > LARGEST_EXPONENT) {
    throw invalid("Number overflow. Attempting to store a number with magnitude larger than supported range");
  }
  if (exponent < LEAST_EXPONENT) {
    throw invalid("Number underflow. Attempting to store a number with magnitude smaller than supported range");
  }
  return { negative: mark === "-" && digits !== "", digits, exponent };
}

function plain({ negative, digits, exponent }: Decimal): string {
  const text =
    digits === ""
      ? "0"
      : exponent <= 0
        ? `0.${"0".repeat(-exponent)}${digits}`
        : digits.length <= exponent
          ? digits.padEnd(exponent, "0")
          : `${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
  return negative ? `-${text}` : text;
}

function sign({ negative, digits }: Decimal): number {
  return digits === "" ? 0 : negative ? -1 : 1;
}
