/** Durations in Go's notation (`1h15m30.5s`), counted in nanoseconds as Go does, and ages as kubectl shows them. */

const NANOSECOND = 1n;
const MICROSECOND = 1000n;
const MILLISECOND = 1_000_000n;
const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", NANOSECOND],
  ["us", MICROSECOND],
  ["µs", MICROSECOND],
  ["μs", MICROSECOND],
  ["ms", MILLISECOND],
  ["s", SECOND],
  ["m", MINUTE],
  ["h", HOUR],
]);

const MAX = (1n << 63n) - 1n;
const PART = /(\d*)(?:\.(\d*))?([^\d.]*)/y;

/** Nanoseconds of a Go duration, or undefined when the text is none or leaves 64 bits. */
export function parseGoDuration(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  const body = negative || text.startsWith("+") ? text.slice(1) : text;
  if (body === "0") return 0n;
  if (body === "") return undefined;
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const [, whole, fraction, unitName] = PART.exec(body)!;
    const unit = UNITS.get(unitName!);
    if (unit === undefined || (whole === "" && !fraction) || whole!.length > 19) return undefined;
    // More than 18 digits of a fraction are below a nanosecond, whatever the unit.
    const digits = (fraction ?? "").slice(0, 18);
    total += BigInt(whole!) * unit + (digits === "" ? 0n : (BigInt(digits) * unit) / 10n ** BigInt(digits.length));
    if (total > MAX && !(negative && total === MAX + 1n)) return undefined;
  }
  return negative ? -total : total;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = value % unit;
  if (fraction === 0n) return String(value / unit);
  const digits = String(fraction).padStart(String(unit).length - 1, "0");
  return `${value / unit}.${digits.replace(/0+$/, "")}`;
}

/** A duration as Go prints it: `1h15m30.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const n = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (n < MICROSECOND) return `${sign}${n}ns`;
  if (n < MILLISECOND) return `${sign}${decimal(n, MICROSECOND)}µs`;
  if (n < SECOND) return `${sign}${decimal(n, MILLISECOND)}ms`;
  const seconds = `${decimal(n % MINUTE, SECOND)}s`;
  if (n < MINUTE) return `${sign}${seconds}`;
  const minutes = `${(n % HOUR) / MINUTE}m`;
  return n < HOUR ? `${sign}${minutes}${seconds}` : `${sign}${n / HOUR}h${minutes}${seconds}`;
}

const two = (major: number, majorUnit: string, minor: number, minorUnit: string): string =>
  minor === 0 ? `${major}${majorUnit}` : `${major}${majorUnit}${minor}${minorUnit}`;

/** An age as `kubectl get` shows it: two or three digits that matter (`5m30s`, `3h`, `2d5h`, `410d`). */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return two(days, "d", hours % 24, "h");
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 ? two(years, "y", days % 365, "d") : `${years}y`;
}
