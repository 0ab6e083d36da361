import type { ReasonEntry } from "./catalogue.ts";

const entry = (means: string, remedy = ""): Omit<ReasonEntry, "reason"> => ({ means, remedy });

/** What controllers of the Gateway API say of routes, Gateways and listeners. */
export const GATEWAY_API: Readonly<Record<string, Omit<ReasonEntry, "reason">>> = {
  Accepted: entry("It is taken."),
  Programmed: entry("The load balancer does what it says."),
  ResolvedRefs: entry("All that it refers to is there."),
  Reconciled: entry("It is as it should be."),
  SuccessfullyReconciled: entry("It is as it should be."),
  NoConflicts: entry("Nothing else wants the same."),
  Ready: entry("It is ready."),
  Pending: entry("The controller has not looked at it yet."),
  NotReconciled: entry("The controller has not looked at it yet."),
  AddressNotAssigned: entry("The load balancer has no address yet."),
  NoMatchingParent: entry(
    "The parent that the route names has no such listener.",
    "Mend parentRefs: name, namespace, sectionName and port of a listener.",
  ),
  NotAllowedByListeners: entry(
    "No listener of the parent takes routes of this namespace.",
    "Let the hostname's request take the namespace in routePolicy.namespaces, or make the request in this namespace.",
  ),
  NoMatchingListenerHostname: entry(
    "No listener of the parent has a hostname of the route.",
    "Write a hostname in the route that a request holds, or ask for this one with a GatewayHostnameRequest.",
  ),
  UnsupportedValue: entry(
    "A field has a value that the controller cannot do.",
    "Change the field that the message names.",
  ),
  UnsupportedProtocol: entry("The protocol of the listener is not known.", "Change the listener's protocol."),
  IncompatibleFilters: entry("Two filters of a rule exclude each other.", "Take one of them away."),
  RefNotPermitted: entry(
    "What it refers to is in another namespace, which grants nothing.",
    "Write a ReferenceGrant in that namespace.",
  ),
  InvalidKind: entry("It refers to a kind that cannot stand there.", "Refer to a Service."),
  BackendNotFound: entry(
    "A backend that it refers to is not there.",
    "Make the Service that the message names, or mend the name.",
  ),
  InvalidCertificateRef: entry("A certificate that the listener names cannot be used.", "Mend certificateRefs."),
  InvalidRouteKinds: entry("The listener allows a kind of route that is not known.", "Mend allowedRoutes.kinds."),
  HostnameConflict: entry("Two listeners have the same hostname and port.", "Take one of them away."),
  ProtocolConflict: entry("Two listeners have the same port and other protocols.", "Change one of them."),
  PortUnavailable: entry("The port cannot be had.", "Choose another port."),
  NotAllowed: entry("The Gateway takes no ListenerSets of this namespace.", "Change allowedListeners of the Gateway."),
  ListenersNotValid: entry("A listener is not valid.", "Look at the conditions of the listeners."),
  ListenersNotReady: entry("A listener is not ready."),
  Invalid: entry("It is not valid.", "Change what the message names."),
  InvalidParameters: entry("Its parameters are not valid.", "Mend what parametersRef names."),
  AddressNotUsable: entry("The address that it asks for cannot be used.", "Ask for another address, or none."),
  NoResources: entry("The infrastructure has no room.", "Add what the message names."),
};
