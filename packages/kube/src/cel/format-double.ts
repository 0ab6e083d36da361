/** A double as Go prints it with `%v` or `%g`: exponents below 1e-4 and from 1e21 on, at least two exponent digits. */
export function formatDouble(value: number, exponentFrom = 21): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  if (value === 0) return "0";
  const [digits, power] = value.toExponential().split("e") as [string, string];
  const exponent = Number(power);
  if (exponent < -4 || exponent >= exponentFrom) {
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return plainDouble(value);
}

/** A double in plain digits with no exponent, as short as it can be read back. */
export function plainDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const [digits, power] = Math.abs(value).toExponential().split("e") as [string, string];
  const exponent = Number(power);
  const significant = digits.replace(".", "");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${significant}`;
  if (significant.length <= exponent + 1) return sign + significant.padEnd(exponent + 1, "0");
  return `${sign}${significant.slice(0, exponent + 1)}.${significant.slice(exponent + 1)}`;
}
