import { deepClone } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import type { Answer } from "../../exchange/answer.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Around } from "../around.ts";
import { entries } from "../headers/field-changes.ts";
import { settableValue, unsettableField } from "../headers/settable-field.ts";
import { SOURCES, asText, callSource } from "./call-source.ts";
import type { CallSource } from "./call-source.ts";
import { parseFieldPath, removeAt, setAt, valueAt } from "./field-path.ts";
import type { FieldPath } from "./field-path.ts";
import { changedBody, readJson, saysJson } from "./json-body.ts";
import { formatJson } from "./json-text.ts";
import type { RequestTransformSpec } from "./transform-spec.ts";
import { checkedTemplate } from "./template/checked-template.ts";

/** Changes a request on its way to the backend. An answer ends it. */
export type RequestTransform = (call: Call) => Answer | undefined | Promise<Answer | undefined>;

type Noting = Pick<Around, "note">;
type BodyChange = (body: Json, call: Call) => void;

/**
 * Compiles `transform.request`; undefined when it changes nothing. Fields are set whatever a client sent under their names, and taken
 * away when their source has nothing, so that a backend can believe them. Then, in bodies of JSON, missing fields get their default,
 * fields are removed, fields are injected, and a template makes a new body of the result.
 */
export function requestTransform(
  spec: RequestTransformSpec,
  field: string,
  around: Noting,
): RequestTransform | undefined {
  const changeFields = fieldsChange(spec, field, around);
  const changeBody = spec.passthroughBody === true ? undefined : bodyChange(spec, field, around);
  if (changeFields === undefined && changeBody === undefined) return undefined;
  return (call) => {
    changeFields?.(call);
    return changeBody === undefined || call.body === undefined ? undefined : changeBody(call);
  };
}

function fieldsChange(spec: RequestTransformSpec, field: string, around: Noting): ((call: Call) => void) | undefined {
  const fixed = entries(spec.staticHeaders ?? {}, `${field}.staticHeaders`, around);
  const dynamic = (spec.dynamicHeaders ?? []).flatMap(({ name, source }, at) =>
    dynamicField(name, source, `${field}.dynamicHeaders[${at}]`, around),
  );
  if (fixed.length === 0 && dynamic.length === 0) return undefined;
  return (call) => {
    for (const [name, value] of fixed) call.head.fields.set(name, value);
    for (const set of dynamic) set(call);
  };
}

/** Sets a field from a source; a value that cannot be sent, or is not there, takes the field away. None when it makes no sense. */
export function dynamicField(
  written: string,
  from: string,
  field: string,
  around: Noting,
): [] | [(call: Call) => void] {
  const name = written.toLowerCase();
  const wrong = unsettableField(name);
  const source = knownSource(from, `${field}.source`, around);
  if (wrong !== undefined)
    around.note({ field: `${field}.name`, message: `${JSON.stringify(written)} ${wrong}`, severity: "error" });
  if (wrong !== undefined || source === undefined) return [];
  const set = (call: Call): void => {
    const value = source(call);
    const text = value === undefined || value === null ? undefined : settableValue(asText(value));
    if (text === undefined) call.head.fields.remove(name);
    else call.head.fields.set(name, text);
  };
  return [set];
}

function knownSource(name: string, field: string, around: Noting): CallSource | undefined {
  const source = callSource(name);
  if (source === undefined)
    around.note({ field, message: `${JSON.stringify(name)} is none of ${SOURCES}`, severity: "error" });
  return source;
}

function bodyChange(spec: RequestTransformSpec, field: string, around: Noting): RequestTransform | undefined {
  const template = checkedTemplate(spec.template, "json", `${field}.template`, around);
  const steps: BodyChange[] = [
    ...defaults(spec, field, around),
    ...removals(spec, field, around),
    ...injections(spec, field, around),
  ];
  const validate = spec.validateBeforeTransform === true;
  if (steps.length === 0 && template === undefined && !validate) return undefined;
  return async (call) => {
    const { fields } = call.head;
    if (call.body === undefined) return undefined;
    if (!saysJson(fields)) return validate ? localAnswer(415, "not_json", "the body has to be JSON") : undefined;
    const read = await readJson(call.body, fields, "request");
    if ("answer" in read) return read.answer;
    if ("bytes" in read) {
      if (validate) return localAnswer(400, "not_json", "the body is not JSON");
      call.body = changedBody(read.bytes, fields);
      return undefined;
    }
    for (const step of steps) step(read.json, call);
    const text = template === undefined ? formatJson(read.json) : template.render(call, read.json);
    call.body = changedBody(Buffer.from(text), fields);
    return undefined;
  };
}

function defaults(spec: RequestTransformSpec, field: string, around: Noting): BodyChange[] {
  return Object.entries(spec.defaultValues ?? {}).flatMap(([name, value]) => {
    const path = checkedPath(name, `${field}.defaultValues`, around);
    if (path === undefined) return [];
    return (body: Json): void => {
      if (valueAt(body, path) === undefined) setAt(body, path, deepClone(value as Json));
    };
  });
}

function removals(spec: RequestTransformSpec, field: string, around: Noting): BodyChange[] {
  return (spec.removeFields ?? []).flatMap((name, at) => {
    const path = checkedPath(name, `${field}.removeFields[${at}]`, around);
    return path === undefined ? [] : (body: Json): void => removeAt(body, path);
  });
}

function injections(spec: RequestTransformSpec, field: string, around: Noting): BodyChange[] {
  return (spec.injectFields ?? []).flatMap((injection, at) => {
    const where = `${field}.injectFields[${at}]`;
    const path = checkedPath(injection.field, `${where}.field`, around);
    if (path === undefined) return [];
    if (injection.source !== undefined && injection.source !== "") {
      const source = knownSource(injection.source, `${where}.source`, around);
      return (body: Json, call: Call): void => {
        const value = source?.(call);
        if (value === undefined) removeAt(body, path);
        else setAt(body, path, value);
      };
    }
    if (injection.value === undefined) {
      around.note({ field: where, message: "has neither a source nor a value", severity: "error" });
      return [];
    }
    const value = injection.value as Json;
    return (body: Json): void => setAt(body, path, deepClone(value));
  });
}

/** A path of fields; what is none is noted as an error. */
export function checkedPath(text: string, field: string, around: Noting): FieldPath | undefined {
  const path = parseFieldPath(text);
  if (path === undefined)
    around.note({ field, message: `${JSON.stringify(text)} is no path of fields`, severity: "error" });
  return path;
}
