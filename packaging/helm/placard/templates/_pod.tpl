{{/* The pods of the server, and what a pod of its command has in common with them. */}}
{{- define "placard.environment" -}}
- name: PLACARD_CONFIG
  value: /etc/placard/placard.yaml
{{- if eq .Values.database.type "postgresql" }}
- name: PLACARD_DATABASE
  valueFrom:
    secretKeyRef:
      {{- $missing := "database.postgresql.existingSecret has to name the secret with the database's address." }}
      name: {{ required $missing .Values.database.postgresql.existingSecret }}
      key: {{ .Values.database.postgresql.key }}
{{- end }}
{{- if .Values.secretsKey.existingSecret }}
- name: PLACARD_SECRETS_KEY_FILE
  value: /run/secrets/placard/secrets.key
{{- else if eq .Values.database.type "postgresql" }}
{{- fail "secretsKey.existingSecret has to name the secret with the key that all pods share." }}
{{- end }}
{{- with .Values.environment }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "placard.mounts" -}}
- name: data
  mountPath: /var/lib/placard
- name: tmp
  mountPath: /tmp
- name: settings
  mountPath: /etc/placard
  readOnly: true
{{- if .Values.secretsKey.existingSecret }}
- name: secrets-key
  mountPath: /run/secrets/placard
  readOnly: true
{{- end }}
{{- with .Values.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Every volume but that of the data. */}}
{{- define "placard.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
- name: settings
  configMap:
    name: {{ include "placard.fullname" . }}
{{- if .Values.secretsKey.existingSecret }}
- name: secrets-key
  secret:
    secretName: {{ .Values.secretsKey.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ .Values.secretsKey.key }}
        path: secrets.key
{{- end }}
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "placard.placement" -}}
serviceAccountName: {{ include "placard.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "placard.container" -}}
image: {{ include "placard.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
env:
  {{- include "placard.environment" . | nindent 2 }}
{{- with .Values.environmentFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "placard.template" -}}
metadata:
  labels:
    {{- include "placard.labels" . | nindent 4 }}
    app.kubernetes.io/component: server
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # The server reads its settings when it starts.
    checksum/settings: {{ toYaml .Values.settings | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "placard.placement" . | nindent 2 }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: {{ include "placard.grace" . }}
  containers:
    - name: placard
      {{- include "placard.container" . | nindent 6 }}
      ports:
        - name: http
          containerPort: 8080
      startupProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 5
        failureThreshold: {{ div (add .Values.startupSeconds 4) 5 }}
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        {{- include "placard.mounts" . | nindent 8 }}
  volumes:
    {{- include "placard.volumes" . | nindent 4 }}
    {{- if eq .Values.database.type "postgresql" }}
    - name: data
      emptyDir:
        sizeLimit: 1Gi
    {{- else if .Values.database.sqlite.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .Values.database.sqlite.existingClaim }}
    {{- end }}
{{- end -}}
