/** Ways to compress that are offered, as `content-encoding` names them. */
export const ALGORITHMS = ["zstd", "br", "gzip", "deflate"] as const;

export type Algorithm = (typeof ALGORITHMS)[number];

/**
 * The one of the offered algorithms that a client likes best; between equals, the first that is offered. Undefined: none, or the client
 * would rather have it as it is. Fields that make no sense ask for nothing.
 */
export function chosenAlgorithm(accepted: string | undefined, offered: readonly Algorithm[]): Algorithm | undefined {
  if (accepted === undefined || accepted === "") return undefined;
  const weights = new Map<string, number>();
  for (const item of accepted.split(",")) {
    const [coding = "", ...parameters] = item.split(";");
    const name = coding.trim().toLowerCase();
    if (name !== "" && !weights.has(name)) weights.set(name, weightOf(parameters));
  }
  const any = weights.get("*") ?? 0;
  let best: Algorithm | undefined;
  let most = weights.get("identity") ?? 0;
  for (const algorithm of offered) {
    const weight = weights.get(algorithm) ?? (algorithm === "gzip" ? weights.get("x-gzip") : undefined) ?? any;
    if (weight > most || (best === undefined && weight > 0 && weight === most)) {
      best = algorithm;
      most = weight;
    }
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const found = /^\s*q\s*=\s*(\S*)\s*$/i.exec(parameter);
    if (found !== null) return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(found[1] ?? "") ? Number(found[1]) : 0;
  }
  return 1;
}
