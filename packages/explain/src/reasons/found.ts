import type { ReasonEntry } from "./catalogue.ts";

const entry = (means: string, remedy = ""): Omit<ReasonEntry, "reason"> => ({ means, remedy });

/** What nobody's status says, and is found by looking at several objects, or from outside. */
export const FOUND: Readonly<Record<string, Omit<ReasonEntry, "reason">>> = {
  NotFound: entry("There is no such object.", "Make it, or mend the name."),
  NotObserved: entry("No controller has looked at it yet."),
  NoController: entry(
    "No controller has looked at it for a while.",
    "See whether the operator runs, with the part that looks after this kind.",
  ),
  Circle: entry(
    "Objects that are not there yet refer to each other in a circle.",
    "Take one of the references away, and add it again when all of them are there.",
  ),
  NotAllowed: entry("A right is missing to read it.", "Ask for the right that the message names."),
  KindNotServed: entry("The API server does not know the kind.", "Install the operator's definitions: config/crd."),
  NotRead: entry("It could not be read.", "Try again."),
  Deleting: entry("It is being deleted."),
  NoPods: entry("No pod has the labels that the Service selects.", "Let the selector be the labels of the pods."),
  ScaledToZero: entry("No pods are asked for.", "Ask for one or more replicas."),
  NoEndpoints: entry("No pod can take requests."),
  Simulated: entry(
    "The image is not run on this machine, but played.",
    "Use a built-in image such as gatewright/echo, or map the image to a command: docs/pods.md.",
  ),
  WrongPort: entry(
    "The port that requests are sent to is none that the containers declare.",
    "Let targetPort be the port that the container listens on.",
  ),
  PortNotFound: entry("The Service has no such port.", "Name a port that the Service has."),
  NotGranted: entry(
    "The namespace holds no grant for the hostname.",
    "Ask for the hostname with a GatewayHostnameRequest in this namespace, or have its holder name this namespace in routePolicy.namespaces.",
  ),
  NotTaken: entry("The controller has not taken it yet."),
  NoRoute: entry("No route leads from the hostname to a Service.", "Make an HTTPRoute for the hostname."),
  NothingConnected: entry(
    "No gateway is connected to the operator.",
    "Start the gateway, and look at its log: where it dials, and whether its certificate is taken.",
  ),
  GatewayBehind: entry("The gateway has not acknowledged everything yet."),
  GatewayRefused: entry("The gateway refused something.", "Mend the field that it names."),
  Throttled: entry(
    "AWS asks for fewer calls. It is tried again by itself.",
    "Wait. If it stays, find out who else calls this service in the account, or ask AWS for a higher rate.",
  ),
  DnsMissing: entry("DNS has no such name.", "See that the domain is delegated to the zone, and who removes records."),
  DnsElsewhere: entry(
    "DNS leads to another place.",
    "Find out who changed the record; the operator puts it back within minutes.",
  ),
  ValidationRecordMissing: entry(
    "The record that proves the name to ACM is not in DNS: a certificate is not issued or renewed without it.",
    "Put the record back, or wait until the operator does; see that the domain is delegated to the zone.",
  ),
  ValidationRecordChanged: entry(
    "The record that proves the name to ACM says something else: a certificate is not issued or renewed with it.",
    "Put the record back, or wait until the operator does; find out who changes it.",
  ),
  NoConnection: entry("Nobody takes connections at the address.", "See that the load balancer or gateway is up."),
  NoAnswer: entry("No answer came in time.", "See that the load balancer or gateway is up, and who blocks the way."),
  CertificateExpired: entry(
    "The certificate that is served has ended.",
    "Renew it; see why it was not renewed by itself.",
  ),
  CertificateNotYetValid: entry("The certificate that is served is not valid yet.", "Check the clocks, or wait."),
  CertificateNotTrusted: entry(
    "The certificate that is served is of no known authority.",
    "Serve one of a public authority.",
  ),
  CertificateOtherName: entry(
    "The certificate that is served is for other names.",
    "Wait until the listener has its certificate; if it stays, look at the Gateway.",
  ),
  TlsFailed: entry("The handshake failed.", "See what the message says."),
  BadAnswer: entry("The answer says that something behind is wrong.", "Look at what the route leads to."),
  NoSuchRoute: entry("Nothing is served at this path.", "Mend the path, or the matches of the route."),
  DeniedByPolicy: entry("A policy of the cluster refuses it.", "Change it as the message says."),
  DeniedByWebhook: entry("A webhook refuses it.", "Mend the field that the message names."),
  Invalid: entry("A field has no value that is allowed.", "Mend the field that the message names."),
  Refused: entry("The API server refuses it.", "Change it as the message says."),
};
