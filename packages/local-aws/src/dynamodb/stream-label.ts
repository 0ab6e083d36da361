/** `2030-01-01T00:00:00.000`: the moment at which a stream was put on, without a zone. */
export function streamLabelAt(now: number): string {
  return new Date(now).toISOString().replace("Z", "");
}
