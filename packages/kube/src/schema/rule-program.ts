import { boolType, compile, optionalType, sameType, stringType } from "../cel/index.ts";
import type { CelProgram, CelType } from "../cel/index.ts";
import { followFieldPath } from "./rule-field-path.ts";
import type { SchemaNode, ValidationRule } from "./schema-node.ts";

/** The outcome of compiling a rule. Errors are told as kube-apiserver tells them. */
export interface RuleProgram {
  readonly rule: ValidationRule;
  /** Undefined where the rule does not compile. */
  readonly program: CelProgram | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly message: CelProgram | undefined;
  readonly messageError: string | undefined;
  /** Where failures are told, relative to the value; empty for the value itself. */
  readonly fieldPath: string;
}

/** Compiles one `x-kubernetes-validations` rule against the type of `self`. */
export function compileRule(rule: ValidationRule, self: CelType, node: SchemaNode): RuleProgram {
  const oldSelf = rule.optionalOldSelf === true ? optionalType(self) : self;
  const env = {
    variables: new Map([
      ["self", self],
      ["oldSelf", oldSelf],
    ]),
  };
  const compiled = compile(rule.rule, env);
  const failed = (error: string): RuleProgram => ({
    rule,
    program: undefined,
    error,
    usesOldSelf: false,
    message: undefined,
    messageError: undefined,
    fieldPath: "",
  });
  if (!compiled.ok) return failed(`compilation failed: ${compiled.message}`);
  const { program } = compiled;
  if (!sameType(program.resultType, boolType)) return failed("cel expression must evaluate to a bool");
  const place = rule.fieldPath === "" ? "" : followFieldPath(rule.fieldPath, node);
  return {
    rule,
    program,
    error: undefined,
    usesOldSelf: program.usesVariable("oldSelf"),
    ...compileMessage(rule.messageExpression, env),
    fieldPath: typeof place === "string" ? "" : place.path,
  };
}

function compileMessage(
  expression: string,
  env: Parameters<typeof compile>[1],
): Pick<RuleProgram, "message" | "messageError"> {
  if (expression === "") return { message: undefined, messageError: undefined };
  const compiled = compile(expression, env);
  if (!compiled.ok) {
    return { message: undefined, messageError: `messageExpression compilation failed: ${compiled.message}` };
  }
  if (!sameType(compiled.program.resultType, stringType)) {
    return { message: undefined, messageError: "messageExpression must evaluate to a string" };
  }
  return { message: compiled.program, messageError: undefined };
}
