{{/* The names of all objects begin with this: the release, with the chart's name unless it has it already. */}}
{{- define "lightboard.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "lightboard.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{/* What an update may change. */}}
{{- define "lightboard.labels" -}}
app.kubernetes.io/part-of: lightboard
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What selects pods: never changes. Called with the list of the context and `operator` or `hub`. */}}
{{- define "lightboard.selector" -}}
app.kubernetes.io/name: lightboard-{{ index . 1 }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
{{- end -}}

{{- define "lightboard.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "lightboard.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* The rules of one document of files/rbac.yaml, which is the role that the tests run with. */}}
{{- define "lightboard.rules" -}}
{{- $kind := index . 1 -}}
{{- range splitList "\n---\n" ((index . 0).Files.Get "files/rbac.yaml") -}}
{{- $document := fromYaml . -}}
{{- if eq $document.kind $kind -}}
{{- toYaml $document.rules -}}
{{- end -}}
{{- end -}}
{{- end -}}
