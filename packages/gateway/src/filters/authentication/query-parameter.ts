/** The one value of a parameter in a query; an empty text when there are several. Undefined: there is none. */
export function onlyValue(query: string, name: string): string | undefined {
  let found: string | undefined;
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    if (decoded(equals === -1 ? pair : pair.slice(0, equals)) !== name) continue;
    if (found !== undefined) return "";
    found = equals === -1 ? "" : (decoded(pair.slice(equals + 1)) ?? "");
  }
  return found;
}

/** A target without a parameter, however its name is escaped. The others stay as they are. */
export function withoutParameter(target: string, name: string): string {
  const cut = target.indexOf("?");
  if (cut === -1) return target;
  const pairs = target.slice(cut + 1).split("&");
  const kept = pairs.filter((pair) => decoded(pair.split("=", 1)[0] ?? "") !== name);
  if (kept.length === pairs.length) return target;
  return kept.length === 0 ? target.slice(0, cut) : `${target.slice(0, cut)}?${kept.join("&")}`;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Escapes that are none stand for nothing.
    return undefined;
  }
}
