{{- define "gatewright.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "gatewright.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is needed when serviceAccount.create is false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The parts that run, with commas. */}}
{{- define "gatewright.parts" -}}
{{- $parts := list -}}
{{- range $part := list "applications" "hostnames" "infra" "routing" -}}
{{- if (index $.Values $part).enabled -}}{{- $parts = append $parts $part -}}{{- end -}}
{{- end -}}
{{- if not $parts -}}{{- fail "nothing would run: enable applications, hostnames, infra or routing" -}}{{- end -}}
{{- join "," $parts -}}
{{- end -}}

{{- define "gatewright.webhookConfiguration" -}}
{{- include "gatewright.fullname" . }}-routing
{{- end -}}

{{- define "gatewright.certificateSecret" -}}
{{- default (printf "%s-certificates" (include "gatewright.fullname" .)) .Values.routing.certificates.secretName -}}
{{- end -}}

{{/* Whether the certificate is in a Secret that somebody else fills. */}}
{{- define "gatewright.certificateMounted" -}}
{{- if and .Values.routing.enabled (has .Values.routing.certificates.provider (list "cert-manager" "file")) -}}true{{- end -}}
{{- end -}}

{{/* Whether the console is served to others. */}}
{{- define "gatewright.consoleOpen" -}}
{{- if and .Values.console.enabled .Values.console.certificateSecret -}}true{{- end -}}
{{- end -}}

{{/* The command line of the operator: what the values say, and `options`, which win. */}}
{{- define "gatewright.args" -}}
{{- $values := .Values -}}
{{- $said := dict
  "parts" (include "gatewright.parts" .)
  "namespace" .Release.Namespace
  "leader-election-id" (include "gatewright.fullname" .)
  "health-probe-bind-address" ":8081"
  "metrics-bind-address" (printf ":%v" $values.metrics.port)
  "log-level" $values.log.level
  "log-format" $values.log.format
-}}
{{- if or $values.hostnames.enabled $values.infra.enabled -}}
{{- $_ := set $said "cluster-name" (required "cluster is needed by hostnames and infra: the name of this cluster in the tags of what is made in AWS" $values.cluster) -}}
{{- if $values.aws.region -}}{{- $_ := set $said "aws-region" $values.aws.region -}}{{- end -}}
{{- end -}}
{{- if $values.hostnames.enabled -}}
{{- $_ := set $said "aws-region" (required "aws.region is needed by hostnames: where certificates and load balancers are" $values.aws.region) -}}
{{- $_ := set $said "edge-namespace" $values.hostnames.edgeNamespace -}}
{{- $_ := set $said "listeners" $values.hostnames.listeners -}}
{{- with $values.hostnames.allowedDomains -}}{{- $_ := set $said "allowed-domains" (join "," .) -}}{{- end -}}
{{- end -}}
{{- if and $values.infra.enabled $values.infra.allowedRoles -}}
{{- $_ := set $said "allowed-roles-file" "/etc/gatewright/infra/allowed-roles.yaml" -}}
{{- end -}}
{{- if $values.routing.enabled -}}
{{- with $values.routing -}}
{{- $_ := set $said "grpc-port" .grpc.port -}}
{{- $_ := set $said "grpc-bind-identity" .grpc.bindIdentity -}}
{{- if .xds.enabled -}}{{- $_ := set $said "xds-port" .xds.port -}}{{- end -}}
{{- $_ := set $said "enable-webhooks" .webhook.enabled -}}
{{- if .webhook.enabled -}}
{{- $_ := set $said "webhook-port" .webhook.port -}}
{{- $_ := set $said "webhook-config-name" (include "gatewright.webhookConfiguration" $) -}}
{{- end -}}
{{- $_ := set $said "enable-ingress-controller" .ingress.enabled -}}
{{- if .ingress.enabled -}}
{{- $_ := set $said "ingress-class-name" .ingress.className -}}
{{- with .ingress.addresses -}}{{- $_ := set $said "ingress-lb-address" (join "," .) -}}{{- end -}}
{{- end -}}
{{- with .gateways -}}{{- $_ := set $said "gateways" (join "," .) -}}{{- end -}}
{{- $_ := set $said "cert-service-name" (include "gatewright.fullname" $) -}}
{{- with .certificates -}}
{{- $_ := set $said "cert-provider" .provider -}}
{{- with .dnsNames -}}{{- $_ := set $said "cert-dns-names" (join "," .) -}}{{- end -}}
{{- if eq .provider "selfsigned" -}}
{{- $_ := set $said "cert-secret-name" (include "gatewright.certificateSecret" $) -}}
{{- else if eq .provider "vault" -}}
{{- $_ := set $said "vault-addr" (required "routing.certificates.vault.address is needed" .vault.address) -}}
{{- $_ := set $said "vault-pki-mount" .vault.mount -}}
{{- $_ := set $said "vault-pki-role" .vault.role -}}
{{- $_ := set $said "vault-k8s-role" (required "routing.certificates.vault.loginRole is needed" .vault.loginRole) -}}
{{- $_ := set $said "vault-k8s-mount-path" .vault.loginMount -}}
{{- else -}}
{{- $_ := set $said "cert-file" "/etc/gatewright/certificates/tls.crt" -}}
{{- $_ := set $said "key-file" "/etc/gatewright/certificates/tls.key" -}}
{{- $_ := set $said "ca-file" "/etc/gatewright/certificates/ca.crt" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $values.console.enabled -}}
{{- with $values.console.hosts -}}{{- $_ := set $said "console-hosts" (join "," .) -}}{{- end -}}
{{- if $values.console.certificateSecret -}}
{{- $_ := set $said "console-bind-address" (printf ":%v" $values.console.port) -}}
{{- $_ := set $said "console-cert-file" "/etc/gatewright/console/tls.crt" -}}
{{- $_ := set $said "console-key-file" "/etc/gatewright/console/tls.key" -}}
{{- else -}}
{{- $_ := set $said "console-bind-address" (printf "127.0.0.1:%v" $values.console.port) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := merge (dict) $values.options $said }}
- {{ printf "--%s=%v" $name $value | quote }}
{{- end -}}
{{- end -}}

{{/* Whose rules are needed, with commas: the parts, by what changes what they need. */}}
{{- define "gatewright.ruleParts" -}}
{{- $parts := list "base" -}}
{{- if .Values.applications.enabled -}}{{- $parts = append $parts "applications" -}}{{- end -}}
{{- if and .Values.applications.enabled .Values.hostnames.enabled -}}{{- $parts = append $parts "expose" -}}{{- end -}}
{{- if .Values.hostnames.enabled -}}
{{- $parts = append $parts (eq .Values.hostnames.listeners "gateways" | ternary "hostnames" "hostnames-listener-sets") -}}
{{- end -}}
{{- if .Values.infra.enabled -}}{{- $parts = append $parts "infra" -}}{{- end -}}
{{- if .Values.routing.enabled -}}
{{- $parts = append $parts (.Values.routing.webhook.enabled | ternary "routing" "routing-without-webhook") -}}
{{- end -}}
{{- join "," $parts -}}
{{- end -}}
