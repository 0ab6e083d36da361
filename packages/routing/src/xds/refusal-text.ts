const LONGEST = 300;
const RULES = "Proto constraint validation failed";

/**
 * What a client says of something that it refused, as people may read it. Envoy quotes whole messages, in which there may be secrets:
 * only the rule that was broken is told then.
 */
export function refusalText(error: string): string {
  const rule = error.lastIndexOf(RULES);
  const told = rule === -1 ? error : error.slice(rule);
  if (rule === -1 && (told.includes("debugonly") || told.includes("\n"))) return "it does not say why in one line";
  return told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told;
}
