import type { Around } from "../../around.ts";
import { TemplateSyntaxError } from "./template-parser.ts";
import { compileTemplate } from "./template.ts";
import type { Template, TemplateKind } from "./template.ts";

/** A template of a specification; undefined when there is none, or when it is noted as an error. */
export function checkedTemplate(
  text: string | undefined,
  kind: TemplateKind,
  field: string,
  around: Pick<Around, "note">,
): Template | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return compileTemplate(text, kind);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    around.note({ field, message: error.message, severity: "error" });
    return undefined;
  }
}
