const UNITS: readonly (readonly [string, number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** `5d`, `3h`, `12m`, `4s`: how old something is, as kubectl tells it. */
export function ageText(since: string | undefined, now: number): string {
  const from = Date.parse(since ?? "");
  if (!Number.isFinite(from)) return "";
  const ms = Math.max(0, now - from);
  const [unit = "s", size = 1_000] = UNITS.find(([, length]) => ms >= length * (length === 1_000 ? 1 : 2)) ?? [];
  return `${Math.floor(ms / size)}${unit}`;
}

/** `1.2 s`, `3 min 5 s`: how long something took. */
export function durationText(ms: number): string {
  if (ms < 1_000) return ms <= 0 ? "under 1 s" : `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 && ms % 1_000 !== 0 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** A moment in the reader's own time, for titles. */
export function momentText(time: string | undefined): string {
  const at = Date.parse(time ?? "");
  return Number.isFinite(at) ? new Date(at).toLocaleString() : "";
}
