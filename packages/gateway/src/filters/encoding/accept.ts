import { bodyFormat } from "./body-format.ts";
import type { BodyFormat } from "./body-format.ts";

/**
 * The format that a client likes best by its `accept`: the highest weight, between equals the one that comes first, and `otherwise`
 * where it takes anything. Undefined: it names none that we write.
 */
export function acceptedFormat(accept: string | undefined, otherwise: BodyFormat): BodyFormat | undefined {
  if (accept === undefined || accept.trim() === "") return otherwise;
  let best: BodyFormat | undefined;
  let most = 0;
  for (const part of accept.split(",")) {
    const [type = "", ...parameters] = part.split(";");
    const range = type.trim().toLowerCase();
    const format = range === "*/*" || range === "application/*" ? otherwise : bodyFormat(range);
    const given = parameters
      .map((text) => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(text)?.[1])
      .find((q) => q !== undefined);
    const weight = given === undefined ? 1 : Number(given);
    // What the route would give anyway wins between equals.
    if (format !== undefined && (weight > most || (weight === most && weight > 0 && format === otherwise))) {
      best = format;
      most = weight;
    }
  }
  return best;
}
