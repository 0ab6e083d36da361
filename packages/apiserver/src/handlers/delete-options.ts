import {
  StatusError,
  badRequest,
  getOwn,
  invalid,
  invalidObject,
  isObject,
  notSupported,
  versionKindProblem,
} from "@gatewright/kube";
import type { FieldError, JsonObject } from "@gatewright/kube";
import { decodeBuiltin, typeOfDefinition } from "@gatewright/kube/builtin";
import type { DeleteOptions } from "../writer/delete.ts";
import { readBody, unregisteredKind } from "./body.ts";
import { parseFlag, parseInteger } from "./list-options.ts";
import type { ResourceCall } from "./resource-call.ts";
import { dryRunErrors } from "./write-options.ts";

/** How a client wants something deleted. */
export interface ParsedDelete {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
  /** The same, as admission shows it. */
  readonly asJson: JsonObject;
}

const POLICIES = ["Foreground", "Background", "Orphan"];
const BOTH_SET = "orphanDependents and deletionPropagation cannot be both set";

/** Reads options from the body if there is one, else from the query. Throws 400 or 422 for those that make no sense. */
export function readDeleteOptions(call: ResourceCall): ParsedDelete {
  const { request } = call;
  const given = request.body.length > 0 ? fromBody(call) : fromQuery(request.query, call.info.name !== "");
  const { dryRun = [], orphanDependents, propagationPolicy } = given;
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined) {
    if (orphanDependents !== undefined) errors.push(invalid("propagationPolicy", propagationPolicy, BOTH_SET));
    if (!POLICIES.includes(propagationPolicy)) {
      errors.push(notSupported("propagationPolicy", propagationPolicy, [...POLICIES, "nil"]));
    }
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  const { uid, resourceVersion, gracePeriodSeconds } = given;
  const rest = {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy: propagationPolicy as "Background" }),
    ...(orphanDependents !== undefined && { orphanDependents }),
  };
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    options: { ...rest, ...preconditions },
    dryRun: dryRun.length > 0,
    asJson: {
      ...rest,
      ...(Object.keys(preconditions).length > 0 && { preconditions }),
      ...(dryRun.length > 0 && { dryRun: [...dryRun] }),
    },
  };
}

interface GivenOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly dryRun?: readonly string[];
}

/** The fields of meta/v1 DeleteOptions once they are known to have its types. */
interface DecodedOptions extends GivenOptions {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

function fromBody(call: ResourceCall): GivenOptions {
  const { value } = readBody(call.request, "DeleteOptions", badRequest);
  const problem = versionKindProblem(value);
  if (problem !== undefined) throw badRequest(problem);
  const body: JsonObject = isObject(value) ? value : {};
  const kind = getOwn(body, "kind") ?? "";
  if (typeof kind === "string" && kind !== "" && kind !== "DeleteOptions") {
    throw badRequest(unregisteredKind(kind, String(getOwn(body, "apiVersion") ?? "")));
  }
  const { preconditions, ...options } = decoded(body);
  return { ...options, ...preconditions };
}

function decoded(body: JsonObject): DecodedOptions {
  try {
    return decodeBuiltin(body, typeOfDefinition("meta.v1.DeleteOptions")).object as unknown as DecodedOptions;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw badRequest(error.message.replace(/^.*? cannot be handled as a DeleteOptions: /, ""));
  }
}

/** On a collection, resourceVersion says what to list and is no precondition. */
function fromQuery(query: URLSearchParams, single: boolean): GivenOptions {
  const read = (name: string): string | undefined => query.get(name) ?? undefined;
  const gracePeriodSeconds = parseInteger(query, "gracePeriodSeconds");
  const orphanDependents = parseFlag(query, "orphanDependents");
  const [propagationPolicy, uid, resourceVersion] = [read("propagationPolicy"), read("uid"), read("resourceVersion")];
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && single && { resourceVersion }),
    dryRun: query.getAll("dryRun").filter((value) => value !== ""),
  };
}
