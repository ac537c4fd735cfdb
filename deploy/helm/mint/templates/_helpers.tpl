{{- define "mint.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "mint.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "mint.labels" -}}
{{ include "mint.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Labels of what all parts share, with those from its values, by which Prometheus or Grafana finds it. */}}
{{- define "mint.monitoringLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The port of a service: callers find its pods by name, so it is the same for the Service and its pods. */}}
{{- define "mint.grpcPort" -}}
{{- $name := printf "%s_PORT" (upper .part) }}
{{- get (index .root.Values .part).settings $name | default (get .root.Values.settings $name) | default (ternary 50051 50052 (eq .part "contracts")) }}
{{- end }}

{{/* Whether the REST API is served over http or https. */}}
{{- define "mint.restScheme" -}}
{{- $settings := include "mint.settings" (dict "root" . "part" "gateway") | fromYaml }}
{{- ternary "https" "http" (not (empty (get $settings "TLS_CERT_FILE"))) }}
{{- end }}

{{/* Every secret setting, its name in `secrets`, and which parts have it: in a file, never as a setting in a manifest. */}}
{{- define "mint.secrets" -}}
- { setting: MONGO_URL, name: mongoUrl, parts: [gateway, contracts, businesses] }
- { setting: SERVICE_SECRET, name: serviceSecret, parts: [gateway, contracts, businesses] }
- { setting: MINT_API_KEY, name: apiKey, parts: [gateway, contracts, businesses] }
- { setting: WEBHOOK_KEY, name: webhookKey, parts: [gateway] }
- { setting: OIDC_CLIENT_SECRET, name: oidcClientSecret, parts: [gateway] }
- { setting: KAFKA_SASL_PASSWORD, name: kafkaPassword, parts: [contracts, businesses] }
{{- end }}

{{/* The settings of a part, as a YAML object: those that follow from this chart, then those of all parts, then its own. */}}
{{- define "mint.settings" -}}
{{- $values := .root.Values }}
{{- $name := include "mint.name" .root }}
{{- $settings := dict "VIEWS_DIR" "/app/views" }}
{{- $secrets := include "mint.secrets" . | fromYamlArray }}
{{- range $secrets }}
{{- if and (index $values.secrets .name) (has $.part .parts) }}{{ $_ := set $settings (printf "%s_FILE" .setting) (printf "/secrets/%s" (kebabcase .name)) }}{{ end }}
{{- end }}
{{- if and $values.tls.kafka (ne .part "gateway") }}{{ $_ := set $settings "KAFKA_SSL_CA_FILE" "/certificates/kafka/ca.crt" }}{{ end }}
{{- if eq .part "gateway" }}{{ $_ := set $settings "CONTRACTS_ADDRESS" (printf "dns:///%s-contracts:%s" $name (include "mint.grpcPort" (dict "root" .root "part" "contracts"))) }}{{ end }}
{{- if ne .part "businesses" }}{{ $_ := set $settings "BUSINESSES_ADDRESS" (printf "dns:///%s-businesses:%s" $name (include "mint.grpcPort" (dict "root" .root "part" "businesses"))) }}{{ end }}
{{- if and $values.tls.rest (eq .part "gateway") }}
{{- $_ := set $settings "TLS_CERT_FILE" "/certificates/rest/tls.crt" }}
{{- $_ := set $settings "TLS_KEY_FILE" "/certificates/rest/tls.key" }}
{{- end }}
{{- if $values.tls.grpc }}
{{- $_ := set $settings "GRPC_TLS_CERT_FILE" "/certificates/grpc/tls.crt" }}
{{- $_ := set $settings "GRPC_TLS_KEY_FILE" "/certificates/grpc/tls.key" }}
{{- $_ := set $settings "GRPC_TLS_CA_FILE" "/certificates/grpc/ca.crt" }}
{{- end }}
{{- /* Not merge, to which false and 0 count as absent. */}}
{{- range $source := list $values.settings (index $values .part).settings }}
{{- range $setting, $value := $source }}{{ $_ := set $settings $setting $value }}{{ end }}
{{- end }}
{{- range $secrets }}
{{- if hasKey $settings .setting }}{{ fail (printf "%s is secret, and settings are in manifests: put it into the Secret %q, and name its key in secrets.%s" .setting $values.secrets.name .name) }}{{ end }}
{{- end }}
{{- toYaml $settings }}
{{- end }}

{{/* Checks of a part's container: ready while its own health says so, alive as long as it answers at all. */}}
{{- define "mint.probes" -}}
{{- if eq .part "gateway" }}
{{- $scheme := include "mint.restScheme" .root | upper }}
startupProbe: { httpGet: { path: /healthz, port: rest, scheme: {{ $scheme }} }, periodSeconds: 2, failureThreshold: 60 }
livenessProbe: { httpGet: { path: /healthz, port: rest, scheme: {{ $scheme }} }, periodSeconds: 10, timeoutSeconds: 5 }
readinessProbe: { httpGet: { path: /readyz, port: rest, scheme: {{ $scheme }} }, periodSeconds: 2, timeoutSeconds: 3 }
{{- else }}
{{- $port := include "mint.grpcPort" . }}
startupProbe: { tcpSocket: { port: grpc }, periodSeconds: 5, failureThreshold: 360 }
# Not a port alone: the kernel also accepts connections for a process that hangs.
livenessProbe: { httpGet: { path: /metrics, port: metrics }, periodSeconds: 10, timeoutSeconds: 5 }
readinessProbe:
  {{- if get (include "mint.settings" . | fromYaml) "GRPC_TLS_CERT_FILE" }}
  exec: { command: [node, cli/health.ts, 'grpc://127.0.0.1:{{ $port }}'] }
  {{- else }}
  grpc: { port: {{ $port }} }
  {{- end }}
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}
{{- end }}
