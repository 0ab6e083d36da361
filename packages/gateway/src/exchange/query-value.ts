/** The first value of a query parameter, decoded; the empty string when it stands without one, undefined when it is not there. */
export function queryValue(query: string, name: string): string | undefined {
  let at = 0;
  while (at < query.length) {
    const next = query.indexOf("&", at);
    const end = next === -1 ? query.length : next;
    const equals = query.indexOf("=", at);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    if (decoded(query.slice(at, nameEnd)) === name)
      return nameEnd === end ? "" : decoded(query.slice(nameEnd + 1, end));
    at = end + 1;
  }
  return undefined;
}

/** Names and values of a query in their order, decoded. */
export function queryPairs(query: string): (readonly [name: string, value: string])[] {
  if (query === "") return [];
  return query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1 ? [decoded(pair), ""] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
  });
}

/** As forms encode. What is no escape stands for itself. */
function decoded(text: string): string {
  if (!text.includes("%") && !text.includes("+")) return text;
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    // A stray percent sign: the text counts as it came.
    return spaced;
  }
}
