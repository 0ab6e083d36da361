/** Stand for what only a release knows, while objects are made; {@link filled} puts the templates in. */
export const PLACES = {
  namespace: "place-of-namespace",
  edgeNamespace: "place-of-edge-namespace",
  gatewayNamespace: "place-of-gateway-namespace",
  service: "place-of-service",
  serviceAccount: "place-of-service-account",
  lease: "place-of-lease",
  webhookConfiguration: "place-of-webhook-configuration",
  ingressClass: "place-of-ingress-class",
} as const;

const TEMPLATES: Readonly<Record<keyof typeof PLACES, string>> = {
  namespace: "{{ .Release.Namespace }}",
  edgeNamespace: "{{ .Values.hostnames.edgeNamespace }}",
  // Rules of these namespaces name none.
  gatewayNamespace: "",
  service: '{{ include "gatewright.fullname" . }}',
  serviceAccount: '{{ include "gatewright.serviceAccount" . }}',
  lease: '{{ include "gatewright.fullname" . }}',
  webhookConfiguration: '{{ include "gatewright.webhookConfiguration" . }}',
  ingressClass: "{{ .Values.routing.ingress.className }}",
};

const INJECTED = `metadata:
  {{- if eq .Values.routing.certificates.provider "cert-manager" }}
  annotations:
    cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "gatewright.fullname" . }}
  {{- end }}`;

/** What a release decides of webhooks. */
const LINES: readonly (readonly [RegExp, string])[] = [
  [/^metadata:$/gm, INJECTED],
  [/(?<=^ +failurePolicy: )Fail$/gm, "{{ .Values.routing.webhook.failurePolicy }}"],
  [/(?<=^ +timeoutSeconds: )10$/gm, "{{ .Values.routing.webhook.timeoutSeconds }}"],
];

/** A manifest as a template. Longer names first: one may be the beginning of another. */
export function filled(yaml: string): string {
  const names = (Object.keys(PLACES) as (keyof typeof PLACES)[]).sort((a, b) => PLACES[b].length - PLACES[a].length);
  return names.reduce((text, name) => text.replaceAll(PLACES[name], TEMPLATES[name]), yaml);
}

/** The same for the configuration of webhooks. */
export function filledWebhook(yaml: string): string {
  return LINES.reduce((text, [line, template]) => text.replaceAll(line, template), filled(yaml));
}
