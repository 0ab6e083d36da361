import { BodySyntaxError } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { CostExceeded } from "@gatewright/kube/cel";
import type { Answer } from "../../exchange/answer.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Around } from "../around.ts";
import { arrayOperation } from "./array-operation.ts";
import { removeAt } from "./field-path.ts";
import type { FieldPath } from "./field-path.ts";
import { changedBody, readJson, saysJson } from "./json-body.ts";
import { formatJson, parseJsonText } from "./json-text.ts";
import { mergeJson } from "./merge-json.ts";
import type { MergeStrategy } from "./merge-json.ts";
import { checkedPath } from "./request-transform.ts";
import { allowedTree, fieldMove, flatten, group, onlyAllowed } from "./reshape.ts";
import { checkedTemplate } from "./template/checked-template.ts";
import type { ResponseTransformSpec } from "./transform-spec.ts";

type Noting = Pick<Around, "note">;
/** Gives the changed body, which may be the same one. */
type Step = (body: Json) => Json;

/** Changes the answer of a backend. */
export interface ResponseTransform {
  /** Makes sure that a body comes which can be changed. */
  prepare(call: Call): void;
  apply(call: Call, answer: Answer): Answer | Promise<Answer>;
}

/**
 * Compiles `transform.response`; undefined when it changes nothing. Bodies of JSON are changed in this order: allowed fields, denied
 * fields, moves, flattening, groups, arrays, template. Since fields may be taken away for a reason, an answer that says it is JSON and
 * is too large or cannot be read becomes 502; other types pass as they are.
 */
export function responseTransform(
  spec: ResponseTransformSpec,
  field: string,
  around: Noting,
): ResponseTransform | undefined {
  const steps = stepsOf(spec, field, around);
  const template = checkedTemplate(spec.template, "json", `${field}.template`, around);
  const strategy = spec.mergeStrategy;
  const lines = strategy === "ndjson";
  if (strategy !== undefined && !lines && template === undefined)
    around.note({ field: `${field}.mergeStrategy`, message: "has no effect without a template", severity: "warning" });
  if (steps.length === 0 && template === undefined && !lines) return undefined;
  const changed = (call: Call, json: Json): Json => {
    let body: Json = json;
    for (const step of steps) body = step(body);
    if (template === undefined) return body;
    const made = parseJsonText(Buffer.from(template.render(call, body)));
    return lines || strategy === undefined ? made : mergeJson(body, made, strategy as MergeStrategy);
  };
  return {
    prepare({ head: { fields } }) {
      fields.remove("range");
      fields.remove("if-range");
      fields.set("accept-encoding", "identity");
    },
    apply(call, answer) {
      if (!saysJson(answer.fields)) return answer;
      if (call.head.method === "HEAD") answer.fields.remove("content-length");
      if (answer.body === undefined || answer.body.length === 0) return answer;
      return rewritten(answer, (json) => changed(call, json), lines);
    },
  };
}

async function rewritten(answer: Answer, change: (json: Json) => Json, lines: boolean): Promise<Answer> {
  const { fields, body } = answer;
  if (body === undefined) return answer;
  if (answer.status === 206) {
    body.cancel();
    return localAnswer(502, "answer_unreadable", "the backend answered with a part only");
  }
  const read = await readJson(body, fields, "response");
  if ("answer" in read) return read.answer;
  if ("bytes" in read) return localAnswer(502, "answer_unreadable", "the answer of the backend cannot be read");
  let made: Json;
  try {
    made = change(read.json);
  } catch (error) {
    if (!(error instanceof CostExceeded) && !(error instanceof BodySyntaxError)) throw error;
    return localAnswer(502, "transform_failed", "the answer of the backend cannot be changed as it should be");
  }
  const items = lines && Array.isArray(made) ? made : undefined;
  const text = items?.map((item) => `${formatJson(item)}\n`).join("") ?? formatJson(made);
  answer.body = changedBody(Buffer.from(text), fields);
  if (items !== undefined) fields.set("content-type", "application/x-ndjson");
  return answer;
}

function inPlace(change: (body: Json) => void): Step {
  return (body) => {
    change(body);
    return body;
  };
}

function stepsOf(spec: ResponseTransformSpec, field: string, around: Noting): Step[] {
  const paths = (names: readonly string[] | undefined, where: string): FieldPath[] =>
    (names ?? []).flatMap((name, at) => {
      const path = checkedPath(name, `${field}.${where}[${at}]`, around);
      return path === undefined ? [] : [path];
    });
  const steps: Step[] = [];
  if (spec.allowFields !== undefined && spec.allowFields.length > 0) {
    const allowed = allowedTree(paths(spec.allowFields, "allowFields"));
    steps.push((body) => onlyAllowed(body, allowed) ?? {});
  }
  for (const path of paths(spec.denyFields, "denyFields")) steps.push(inPlace((body) => removeAt(body, path)));
  for (const [source, target] of Object.entries(spec.fieldMappings ?? {})) {
    const where = `${field}.fieldMappings`;
    const from = checkedPath(source, where, around);
    const to = checkedPath(target, where, around);
    const move = from === undefined || to === undefined ? undefined : fieldMove(from, to);
    if (move !== undefined) steps.push(inPlace(move));
    else if (from !== undefined && to !== undefined)
      around.note({ field: where, message: `${source} and ${target} are not in the same array`, severity: "error" });
  }
  for (const path of paths(spec.flattenFields, "flattenFields")) steps.push(inPlace((body) => flatten(body, path)));
  for (const [at, { name, fields }] of (spec.groupFields ?? []).entries()) {
    const path = checkedPath(name, `${field}.groupFields[${at}].name`, around);
    const gathered = paths(fields, `groupFields[${at}].fields`);
    if (path !== undefined) steps.push(inPlace((body) => group(body, path, gathered)));
  }
  for (const [at, operation] of (spec.arrayOperations ?? []).entries()) {
    const step = arrayOperation(operation, `${field}.arrayOperations[${at}]`, around);
    if (step !== undefined) steps.push(inPlace(step));
  }
  return steps;
}
