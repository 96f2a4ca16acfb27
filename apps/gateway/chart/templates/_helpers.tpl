{{- define "gateway.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "gateway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gateway.labels" -}}
{{ include "gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Keys of the secret that a replica reads, as JSON. */}}
{{- define "gateway.secrets" -}}
{{- concat (list "DATABASE_URL" "SALLYPORT_KEY" "SALLYPORT_SECRETS_KEY") .Values.secret.optional | toJson }}
{{- end }}

{{- /* Where a launcher listens, by its workspace: in a folder that it creates in a volume of its own. */}}
{{- define "gateway.launcherSocket" -}}
/run/sallyport/{{ . }}/launcher/launcher.sock
{{- end }}

{{- define "gateway.launchers" -}}
{{- $users := list 65532 }}
{{- $sockets := list }}
{{- range .Values.launchers }}
{{- if has (int .user) $users }}
{{- fail (printf "launchers: user %d runs another one, or the gateway, and could read its secrets: give %s another user." (int .user) .workspace) }}
{{- end }}
{{- $users = append $users (int .user) }}
{{- $sockets = append $sockets (printf "%s=%s" .workspace (include "gateway.launcherSocket" .workspace)) }}
{{- end }}
{{- join "," $sockets }}
{{- end }}
