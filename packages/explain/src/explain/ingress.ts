import type { Immutable } from "@gatewright/kube";
import { networking } from "@gatewright/kube/api";
import { annotationProblems, DEFAULT_INGRESS_CLASS, ingressClassOf } from "@gatewright/routing/ingress";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { gatewayLinks } from "./connected-gateways.ts";
import { eventLinks } from "./events.ts";
import { unseen } from "./object-link.ts";
import { secretCertificateLinks } from "./secret-certificate.ts";
import { serviceLink } from "./service.ts";

const OUR_CONTROLLER = "avapigw.io/ingress-controller";

/** An Ingress: it has no conditions, so what was told of it counts, where it leads, and who serves it. */
export function ingressLink(known: Known, ingress: Immutable<networking.Ingress>): Cause {
  const { metadata, spec, status } = ingress;
  const { namespace = "", name = "" } = metadata;
  const subject = subjectOf(networking.Ingress, { namespace, name });
  const backends = [
    spec?.defaultBackend,
    ...(spec?.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend)),
  ];
  const services = new Map<string, Cause>();
  for (const backend of backends) {
    const { service } = backend ?? {};
    if (service === undefined) continue;
    const port = service.port?.number ?? service.port?.name;
    services.set(`${service.name}:${port}`, serviceLink(known, { namespace, name: service.name }, port));
  }
  const secrets = new Set(
    (spec?.tls ?? []).flatMap(({ secretName }) => (secretName === undefined ? [] : [secretName])),
  );
  const certificates = [...secrets].flatMap((secret) => secretCertificateLinks(known, { namespace, name: secret }));
  const addresses = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []);
  const className = ingressClassOf(ingress);
  const gateways = isOurs(known, className) ? gatewayLinks(known, `Ingress ${namespace}/${name}`, undefined) : [];
  const warnings = eventLinks(known, subject, metadata.uid, isOverFor(ingress));
  const on = [...warnings, ...services.values(), ...certificates, ...gateways];
  const about = { title: `Ingress ${name}`, subject, on };
  if (addresses.length > 0) return link({ ...about, state: "ok", message: `Served at ${addresses.join(", ")}.` });
  const state = unseen(metadata.creationTimestamp, known.now);
  const next = [
    {
      text:
        className === undefined
          ? `Name an ingressClassName, such as ${DEFAULT_INGRESS_CLASS.className}.`
          : `See who looks after the class ${className}.`,
      command: "kubectl get ingressclasses",
    },
  ];
  return link({ ...about, ...state, message: "No controller has given it an address.", next });
}

/** Whether gateways get the Ingresses of a class. One without a class is nobody's here: that the operator takes those is a setting. */
function isOurs(known: Known, className: string | undefined): boolean {
  if (className === undefined) return DEFAULT_INGRESS_CLASS.isDefault;
  const seen = known.get(networking.IngressClass, { name: className });
  if (seen.state === "present") return seen.object.spec?.controller === OUR_CONTROLLER;
  return className === DEFAULT_INGRESS_CLASS.className;
}

/**
 * Events stay when what they tell is mended. Annotations are read again; whether a Secret is there is said by the link to it.
 */
function isOverFor(ingress: Immutable<networking.Ingress>): (message: string) => boolean {
  const wrong = annotationProblems(ingress);
  return (message) =>
    message.startsWith("metadata.annotations[")
      ? !wrong.has(message)
      : message.startsWith("spec.tls.secretName: there is no Secret ");
}
