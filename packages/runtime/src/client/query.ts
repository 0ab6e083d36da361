/** Parameters of a request; those that are undefined are not sent. */
export type QueryParameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** The query string of a path, `?` included when there is anything to say. */
export function queryString(parameters: QueryParameters): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
