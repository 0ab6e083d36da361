/** `20150830T123600Z`. */
export function amzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, "");
}

/** The moment of an `x-amz-date`, or of an HTTP date; undefined when it is neither. */
export function parseAmzDate(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  const ms = parts
    ? Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`)
    : text.endsWith(" GMT")
      ? Date.parse(text)
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
