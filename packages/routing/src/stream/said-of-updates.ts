import type { operatorApi } from "@gatewright/gateway-wire";
import type { Remark } from "../distribution/connected-gateway.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverableKey } from "../model/deliverable.ts";
import type { DialectView } from "./dialect-view.ts";
import { kindOf, specName } from "./wire/resource-bytes.ts";
import type { UpdateBody } from "./wire/update-bytes.ts";

/** What a gateway said of an update. */
export interface Said {
  readonly remarks: readonly Remark[];
  /** What went wrong with all of it, when it named no object. */
  readonly problem: string | undefined;
}

/**
 * What an acknowledgement means for deliverables. Our gateways name objects and fields; those of AVAPIGW have one text for all: it
 * concerns the object of a single change, or those of a snapshot whose names are in it, or everything.
 */
export function saidOf(
  body: UpdateBody,
  { success, errorMessage, findings }: operatorApi.AcknowledgeConfigurationRequest,
  view: DialectView,
): Said {
  const remarks = findings.flatMap((finding): Remark[] => {
    const kind = kindOf(finding.type);
    if (kind === undefined) return [];
    const { resourceVersion: version, refused, field, message } = finding;
    return [{ key: deliverableKey({ ...finding, kind }), version, refused, field, message }];
  });
  if (success || remarks.some(({ refused }) => refused)) return { remarks, problem: undefined };
  const message = errorMessage === "" ? "the gateway gave no reason" : errorMessage;
  const concerned = concernedBy(body, message);
  if (concerned.length === 0) return { remarks, problem: message };
  const refusals = concerned.map((one) => {
    const { version, ...origin } = view.originOf(one);
    return { key: deliverableKey(origin), version, refused: true, field: "spec", message };
  });
  return { remarks: [...remarks, ...refusals], problem: undefined };
}

function concernedBy(body: UpdateBody, message: string): readonly Deliverable[] {
  switch (body.does) {
    case "add":
    case "modify":
      return [body.one];
    case "delete":
      return [];
    default: {
      if (body.does === "change" && body.set.length === 1) return body.set;
      const words = new Set(message.split(/[\s"'`,;()[\]]+/).map((word) => word.replace(/[:.]+$/, "")));
      return body.set.filter((one) => words.has(specName(one)));
    }
  }
}
