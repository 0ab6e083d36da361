import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Gateway } from "@gatewright/resources";
import { buildModel } from "../model/build-model.ts";
import type { ModelOptions } from "../model/build-model.ts";
import type { KnownCertificate } from "../model/listener-certificates.ts";
import type { GatewayModel, RuleModel } from "../model/model.ts";
import { outlineOf } from "../model/outline.ts";
import { conditionsText } from "../aws/same.ts";
import { listener, object, objectView } from "./object-view.ts";

export interface SampleOptions extends Partial<ModelOptions> {
  readonly listeners?: readonly object[];
  readonly spec?: object;
  readonly certificates?: readonly KnownCertificate[];
  /** Whether the class `alb` is there by itself. Default: it is. */
  readonly withClass?: boolean;
}

const CLASS = object("GatewayClass", "alb", { controllerName: "gateway.k8s.aws/alb" });

/** The Gateway `shop/edge` with a listener on port 80. */
export function edge({ listeners = [listener("http", 80)], spec = {} }: SampleOptions = {}): ApiObject {
  return object("Gateway", "edge", { gatewayClassName: "alb", listeners, ...spec });
}

/** A Service with port 80 that pods serve on 8080. */
export function service(name: string, spec: object = {}, more: object = {}): ApiObject {
  return object("Service", name, { type: "ClusterIP", ports: [{ port: 80, targetPort: 8080 }], ...spec }, more);
}

/** The model of `edge` in a cluster that has these objects too. */
export function modelOf(objects: readonly ApiObject[], options: SampleOptions = {}): GatewayModel {
  const { certificates = [], cluster = "test", defaultTargetType = "ip" } = options;
  const gateway = edge(options) as unknown as Immutable<Gateway>;
  const view = objectView([
    ...(options.withClass === false ? [] : [CLASS]),
    gateway as unknown as ApiObject,
    ...objects,
  ]);
  const gatewayClass = view.gatewayClass("alb");
  if (gatewayClass === undefined) throw new Error("the sample has a class");
  return buildModel(view, outlineOf(view, gateway, gatewayClass), certificates, { cluster, defaultTargetType });
}

/** A rule in one line: conditions, then what it does. */
export function ruleText({ conditions, actions }: RuleModel): string {
  const when = conditions.map((each) => {
    const [field, name, values] = JSON.parse(conditionsText([each], [])) as [string, string, string[]];
    return `${field}${name && ` ${name}`}=${values.join("|")}`;
  });
  const then = actions.map((action) => {
    if (action.kind === "forward") {
      return action.groups.map(({ id, weight }) => `${id.split(":")[1]}*${weight}`).join("+");
    }
    const { Type, FixedResponseConfig, RedirectConfig } = action.action;
    const { Protocol, Host, Port, Path, Query } = RedirectConfig ?? {};
    return RedirectConfig === undefined
      ? `${Type} ${FixedResponseConfig?.StatusCode ?? ""}`
      : `${RedirectConfig.StatusCode} ${Protocol}://${Host}:${Port}${Path}?${Query}`;
  });
  return `${when.join(" & ")} -> ${then.join(", ")}`;
}
