{{- define "placard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "placard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "placard.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "placard.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "placard.selector" -}}
app.kubernetes.io/name: {{ include "placard.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "placard.labels" -}}
{{ include "placard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "placard.metadata" -}}
name: {{ include "placard.fullname" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "placard.labels" . | nindent 2 }}
{{- end -}}

{{- define "placard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "placard.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "placard.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* The seconds that a server may take to stop, with ten to spare. */}}
{{- define "placard.grace" -}}
{{- $settings := .Values.settings -}}
{{- $spread := hasKey $settings "reconnect_spread" | ternary $settings.reconnect_spread 10 -}}
{{- $first := max (int (default 0 $settings.drain_delay)) (int $spread) -}}
{{- add $first (int (hasKey $settings "shutdown_timeout" | ternary $settings.shutdown_timeout 20)) 5 10 -}}
{{- end -}}

{{/* The paths that are for outside; scripts/check-container holds them to `placard routes`. */}}
{{- define "placard.paths" -}}
exact: ["/", "/healthz", "/openapi.json"]
prefixes: ["/campaigns", "/dashboard", "/media", "/segments", "/users", "/v1"]
{{- end -}}
