/** `%f`: as many decimals as asked for, thousands grouped as in English. */
export function groupedFixed(value: number, precision: number): string {
  const special = nonFinite(value);
  if (special !== undefined) return special;
  const [whole, decimals] = exactFixed(Math.abs(value), precision).split(".") as [string, string?];
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${value < 0 ? "-" : ""}${grouped}${decimals === undefined ? "" : `.${decimals}`}`;
}

/** `%e`: a power of ten in superscript. The precision that a clause asks for has no effect on it. */
export function superscriptScientific(value: number): string {
  const special = nonFinite(value);
  if (special !== undefined) return special;
  const [digits, power] = value.toExponential(6).split("e") as [string, string];
  const exponent = Math.abs(Number(power)).toString().padStart(2, "0");
  const sign = power.startsWith("-") ? "⁻" : "";
  return `${digits}×10${sign}${exponent.replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit)))}`;
}

function nonFinite(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return undefined;
  return value > 0 ? "∞" : "-∞";
}

/** toFixed goes to exponents from 1e21 on, and stops at 100 decimals. Halves are rounded to even, as Go does. */
function exactFixed(value: number, precision: number): string {
  const decimals = Math.min(precision, 100);
  const text =
    value >= 1e21 ? `${BigInt(value)}${decimals > 0 ? `.${"0".repeat(decimals)}` : ""}` : value.toFixed(decimals);
  const rounded = isHalfway(value, decimals) ? evenNeighbour(value, decimals, text) : text;
  return decimals < precision ? rounded + "0".repeat(Math.min(precision, 1000) - decimals) : rounded;
}

/** Only doubles with a short binary fraction lie exactly between two decimals. */
function isHalfway(value: number, decimals: number): boolean {
  const scaled = value * 10 ** decimals;
  return decimals <= 15 && scaled < 2 ** 52 && scaled - Math.floor(scaled) === 0.5 && Number.isInteger(value * 2 ** 20);
}

function evenNeighbour(value: number, decimals: number, text: string): string {
  const floor = Math.floor(value * 10 ** decimals);
  return floor % 2 === 0 ? (floor / 10 ** decimals).toFixed(decimals) : text;
}
