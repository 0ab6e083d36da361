/** The name of a kind in URLs, by the common rules of English: `ingresses`, `policies`, `websites`. */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
