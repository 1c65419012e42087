{{/* A job of the command that runs by the clock: a dict of root, component, schedule, arguments, and volumes and mounts
of its own. A name of a CronJob has at most 52 characters. */}}
{{- define "placard.cronJob" -}}
{{- $root := .root -}}
{{- $isFile := eq $root.Values.database.type "sqlite" -}}
{{- if and $isFile (has "ReadWriteOncePod" $root.Values.database.sqlite.accessModes) }}
{{- if not $root.Values.database.sqlite.existingClaim }}
{{- fail (printf "%s.enabled needs a volume that a second pod of the node may mount: ReadWriteOnce." .component) }}
{{- end }}
{{- end -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ include "placard.fullname" $root | trunc 45 | trimSuffix "-" }}-{{ .component }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "placard.labels" $root | nindent 4 }}
spec:
  schedule: {{ .schedule | quote }}
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        metadata:
          labels:
            {{- include "placard.labels" $root | nindent 12 }}
            app.kubernetes.io/component: {{ .component }}
        spec:
          restartPolicy: Never
          {{- include "placard.placement" $root | nindent 10 }}
          {{- if $isFile }}
          # The volume is of one node: the pod has to be on that of the server.
          affinity:
            podAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                - topologyKey: kubernetes.io/hostname
                  labelSelector:
                    matchLabels:
                      {{- include "placard.selector" $root | nindent 22 }}
                      app.kubernetes.io/component: server
          {{- end }}
          containers:
            - name: {{ .component }}
              {{- include "placard.container" $root | nindent 14 }}
              args: {{ toJson .arguments }}
              volumeMounts:
                {{- include "placard.mounts" $root | nindent 16 }}
                {{- with .mounts }}
                {{- toYaml . | nindent 16 }}
                {{- end }}
          volumes:
            {{- include "placard.volumes" $root | nindent 12 }}
            - name: data
              {{- if $isFile }}
              persistentVolumeClaim:
                {{- $claim := printf "data-%s-0" (include "placard.fullname" $root) }}
                claimName: {{ default $claim $root.Values.database.sqlite.existingClaim }}
              {{- else }}
              emptyDir:
                sizeLimit: 1Gi
              {{- end }}
            {{- with .volumes }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
{{- end -}}
