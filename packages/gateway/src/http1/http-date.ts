let second = -1;
let line = "";

/** The `date` field as a line, made once a second. `now` is the time in milliseconds. */
export function dateLine(now: number): string {
  const at = Math.floor(now / 1000);
  if (at !== second) {
    second = at;
    line = `date: ${new Date(at * 1000).toUTCString()}\r\n`;
  }
  return line;
}
