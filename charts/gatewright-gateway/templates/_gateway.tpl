{{- define "gatewright.clientSecret" -}}
{{- default (printf "%s-operator-client" (include "gatewright.fullname" .)) .Values.operator.clientSecret -}}
{{- end -}}

{{- define "gatewright.serves" -}}
{{- if not (or .Values.listeners.http.enabled .Values.listeners.https.enabled) -}}
{{- fail "nothing would be served: enable listeners.http or listeners.https" -}}
{{- end -}}
{{- end -}}

{{/* What the gateway is started with; `settings` win. */}}
{{- define "gatewright.gatewaySettings" -}}
{{- include "gatewright.serves" . -}}
{{- $listeners := list -}}
{{- with .Values.listeners.http -}}
{{- if .enabled -}}{{- $listeners = append $listeners (dict "name" "http" "port" .port "protocol" "HTTP") -}}{{- end -}}
{{- end -}}
{{- with .Values.listeners.https -}}
{{- if .enabled -}}
{{- $_ := required "listeners.https.certificateSecret is needed: what is shown to who asks for no name of a route" .certificateSecret -}}
{{- $tls := dict "certFile" "/etc/gatewright/listener/tls.crt" "keyFile" "/etc/gatewright/listener/tls.key" -}}
{{- $listeners = append $listeners (dict "name" "https" "port" .port "protocol" "HTTPS" "tls" $tls) -}}
{{- end -}}
{{- end -}}
{{- $files := dict
  "caFile" "/etc/gatewright/client/ca.crt"
  "certFile" "/etc/gatewright/client/tls.crt"
  "keyFile" "/etc/gatewright/client/tls.key"
  "serverName" .Values.operator.serverName
-}}
{{- $operator := dict "address" .Values.operator.address "namespace" .Release.Namespace "tls" $files -}}
{{- with .Values.operator.namespaces -}}{{- $_ := set $operator "namespaces" . -}}{{- end -}}
{{- $spec := dict
  "listeners" $listeners
  "operator" $operator
  "admin" (dict "address" "0.0.0.0" "port" 9090)
  "workers" .Values.workers
  "stateDirectory" "/var/lib/gatewright"
  "limits" (dict "drainTimeout" (printf "%vs" .Values.drainSeconds))
-}}
{{- with .Values.trustedProxies -}}{{- $_ := set $spec "trustedProxies" . -}}{{- end -}}
{{- dict
  "apiVersion" "gateway.avapigw.io/v1"
  "kind" "Gateway"
  "metadata" (dict "name" (include "gatewright.fullname" .))
  "spec" (mergeOverwrite $spec .Values.settings)
  | toYaml
-}}
{{- end -}}

{{/* What Envoy is started with: everything else comes from the operator. */}}
{{- define "gatewright.envoyBootstrap" -}}
{{- $fullname := include "gatewright.fullname" . -}}
{{- $address := splitList ":" .Values.operator.address -}}
{{- if or (ne (int .Values.listeners.http.port) 8080) (ne (int .Values.listeners.https.port) 8443) -}}
{{- fail "Envoys listen where the operator tells them to: listeners.http.port is 8080 and listeners.https.port is 8443" -}}
{{- end -}}
node:
  # The operator serves Envoys in the name of their certificate.
  cluster: {{ .Release.Namespace }}/{{ $fullname }}
admin:
  address:
    socket_address:
      address: 127.0.0.1
      port_value: 9901
dynamic_resources:
  ads_config:
    api_type: DELTA_GRPC
    transport_api_version: V3
    grpc_services:
      - envoy_grpc:
          cluster_name: gatewright
  cds_config:
    ads: {}
    resource_api_version: V3
  lds_config:
    ads: {}
    resource_api_version: V3
static_resources:
  listeners:
    # Of the admin endpoint only what changes nothing.
    - name: status
      address:
        socket_address:
          address: 0.0.0.0
          port_value: 9902
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: status
                route_config:
                  virtual_hosts:
                    - name: status
                      domains: ["*"]
                      routes:
                        {{- range list "/ready" "/server_info" "/stats/prometheus" }}
                        - match:
                            path: {{ . }}
                            headers:
                              - name: ":method"
                                string_match:
                                  exact: GET
                          route:
                            cluster: admin
                        {{- end }}
                http_filters:
                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
  clusters:
    - name: admin
      type: STATIC
      connect_timeout: 1s
      load_assignment:
        cluster_name: admin
        endpoints:
          - lb_endpoints:
              - endpoint:
                  address:
                    socket_address:
                      address: 127.0.0.1
                      port_value: 9901
    - name: gatewright
      type: STRICT_DNS
      connect_timeout: 5s
      typed_extension_protocol_options:
        envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
          "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
          explicit_http_config:
            http2_protocol_options:
              connection_keepalive:
                interval: 30s
                timeout: 10s
      load_assignment:
        cluster_name: gatewright
        endpoints:
          - lb_endpoints:
              - endpoint:
                  address:
                    socket_address:
                      address: {{ first $address }}
                      port_value: {{ last $address }}
      transport_socket:
        name: envoy.transport_sockets.tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
          sni: {{ .Values.operator.serverName }}
          common_tls_context:
            alpn_protocols: [h2]
            # Watched: what the operator renews is taken without a restart.
            tls_certificate_sds_secret_configs:
              - name: client
                sds_config:
                  path_config_source:
                    path: /etc/envoy/client.yaml
                    watched_directory:
                      path: /etc/gatewright/client
                  resource_api_version: V3
            combined_validation_context:
              default_validation_context:
                match_typed_subject_alt_names:
                  - san_type: DNS
                    matcher:
                      exact: {{ .Values.operator.serverName }}
              validation_context_sds_secret_config:
                name: operator
                sds_config:
                  path_config_source:
                    path: /etc/envoy/operator.yaml
                    watched_directory:
                      path: /etc/gatewright/client
                  resource_api_version: V3
{{- end -}}
