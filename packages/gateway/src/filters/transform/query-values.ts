/** Names and values of a query in their order, decoded as forms are. What cannot be decoded stays as it is. */
export function queryPairs(query: string): (readonly [name: string, value: string])[] {
  if (query === "") return [];
  return query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
  });
}

/** The first value of a parameter. */
export function firstOf(query: string, name: string): string | undefined {
  return queryPairs(query).find(([found]) => found === name)?.[1];
}

function decoded(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
