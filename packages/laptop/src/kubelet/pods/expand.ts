/**
 * Replaces `$(NAME)` by the value of a variable. `$$` is a dollar sign that begins nothing; a name that is not known stays as it was
 * written. Tells the names that were used.
 */
export function expand(
  text: string,
  valueOf: (name: string) => string | undefined,
): { readonly text: string; readonly used: readonly string[] } {
  if (!text.includes("$")) return { text, used: [] };
  const used: string[] = [];
  const expanded = text.replace(/\$(?:\$|\(([^()]*)\))/g, (whole, name: string | undefined) => {
    if (name === undefined) return "$";
    const value = valueOf(name);
    if (value === undefined) return whole;
    used.push(name);
    return value;
  });
  return { text: expanded, used };
}
