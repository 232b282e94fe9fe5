{{- define "uplift.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The suffixes of the chart have at most 20 characters. */}}
{{- define "uplift.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 43 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "uplift.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 43 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "uplift.selectorLabels" -}}
app.kubernetes.io/name: {{ include "uplift.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "uplift.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "uplift.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "uplift.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The Deployments by the suffix of their name: which roles each has, and whose values. */}}
{{- define "uplift.deployments" -}}
{{- if .Values.separateWorkers -}}
api: {roles: api, values: api}
worker: {roles: worker, values: worker}
{{- else -}}
server: {roles: "api,worker", values: api}
{{- end -}}
{{- end -}}

{{/* The component that serves REST, and the one that scales with Temporal. */}}
{{- define "uplift.apiComponent" -}}
{{- ternary "api" "server" .Values.separateWorkers -}}
{{- end -}}
{{- define "uplift.workerComponent" -}}
{{- ternary "worker" "server" .Values.separateWorkers -}}
{{- end -}}

{{- define "uplift.host" -}}
{{- (urlParse .Values.publicUrl).host | splitList ":" | first -}}
{{- end -}}

{{/* The variables of the database, for servers and the migration. */}}
{{- define "uplift.databaseSettings" -}}
UPLIFT_DATABASE_URL: {{ .Values.database.url | quote }}
UPLIFT_DATABASE_USER: {{ .Values.database.user | quote }}
UPLIFT_DATABASE_PASSWORD_FILE: /etc/uplift/files/database/password
{{- end -}}

{{/* The variables of a server. Context: root, roles. */}}
{{- define "uplift.settings" -}}
{{- $v := .root.Values -}}
{{- $serves := contains "api" .roles -}}
{{- $works := contains "worker" .roles -}}
UPLIFT_ROLES: {{ .roles }}
UPLIFT_PUBLIC_URL: {{ $v.publicUrl | quote }}
MICRONAUT_SERVER_PORT: "8080"
{{ include "uplift.databaseSettings" .root }}
UPLIFT_DATABASE_CONNECTIONS: {{ $v.database.connections | quote }}
UPLIFT_TEMPORAL_ADDRESS: {{ $v.temporal.address | quote }}
UPLIFT_TEMPORAL_NAMESPACE: {{ $v.temporal.namespace | quote }}
{{- with $v.temporal.uiUrl }}
UPLIFT_TEMPORAL_UI_URL: {{ . | quote }}
{{- end }}
{{- with $v.temporal.tlsSecret }}
{{- if .name }}
{{- if .ca }}
UPLIFT_TEMPORAL_CA_FILE: /etc/uplift/files/temporal/ca.crt
{{- end }}
{{- if .certificate }}
UPLIFT_TEMPORAL_CERTIFICATE_FILE: /etc/uplift/files/temporal/tls.crt
UPLIFT_TEMPORAL_KEY_FILE: /etc/uplift/files/temporal/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- if $v.temporal.apiKeySecret.name }}
UPLIFT_TEMPORAL_API_KEY_FILE: /etc/uplift/files/temporal/api-key
{{- end }}
{{- if $v.temporal.trustedNetwork }}
UPLIFT_TEMPORAL_UNENCRYPTED: on-a-trusted-network
{{- end }}
UPLIFT_NATS_URL: {{ $v.nats.url | quote }}
UPLIFT_NATS_CREDENTIALS_FILE: /etc/uplift/files/nats/server.creds
{{- if $v.nats.caSecret.name }}
UPLIFT_NATS_CA_FILE: /etc/uplift/files/nats/ca.crt
{{- end }}
UPLIFT_NATS_REPLICAS: {{ $v.nats.replicas | quote }}
UPLIFT_NATS_COMMAND_STREAM_MIB: {{ $v.nats.commandStreamMib | int | quote }}
UPLIFT_NATS_EVENT_STREAM_MIB: {{ $v.nats.eventStreamMib | int | quote }}
UPLIFT_NATS_INFO_STREAM_MIB: {{ $v.nats.infoStreamMib | int | quote }}
UPLIFT_NATS_TRUST_STREAM_MIB: {{ $v.nats.trustStreamMib | int | quote }}
{{- if $v.tokens.secret.name }}
UPLIFT_JWT_SECRET_FILE: /etc/uplift/files/tokens/secret
{{- end }}
{{- if $v.oidc.issuers }}
UPLIFT_OIDC_ISSUERS_FILE: /etc/uplift/oidc/issuers.json
{{- end }}
UPLIFT_JWT_MAX_LIFETIME: {{ $v.tokens.maxLifetime }}
{{- with $v.tokens.audience }}
UPLIFT_JWT_AUDIENCE: {{ . | quote }}
{{- end }}
UPLIFT_ARTIFACTS_SECRET_FILE: /etc/uplift/files/artifacts/secret
UPLIFT_ARTIFACTS_FOLDER: {{ ternary "/var/lib/uplift/artifacts" "/tmp/artifacts" $serves }}
UPLIFT_ARTIFACTS_TENANT_QUOTA_MIB: {{ $v.artifacts.tenantQuotaMib | int | quote }}
UPLIFT_ARTIFACTS_RESERVED_MIB: {{ $v.artifacts.reservedMib | int | quote }}
UPLIFT_COMMAND_KEYS_FOLDER: /etc/uplift/command-keys
{{- if and $serves $v.enrolment.secretName }}
UPLIFT_ENROLMENT_KEYS_FOLDER: /etc/uplift/enrolment-keys
{{- with $v.enrolment.serverUrl }}
UPLIFT_ENROLMENT_SERVER_URL: {{ . | quote }}
{{- end }}
{{- with $v.enrolment.natsUrl }}
UPLIFT_ENROLMENT_NATS_URL: {{ . | quote }}
{{- end }}
{{- if $v.enrolment.caSecret.name }}
UPLIFT_ENROLMENT_CA_FILE: /etc/uplift/files/enrolment/ca.crt
{{- end }}
{{- end }}
{{- if and $works $v.archive.enabled }}
UPLIFT_ARCHIVE_FOLDER: /var/lib/uplift/archive
UPLIFT_ARCHIVE_AFTER: {{ $v.archive.after }}
UPLIFT_ARCHIVE_AUDIT_AFTER: {{ $v.archive.auditAfter }}
{{- end }}
{{- end -}}

{{/* A list of environment variables from a map, in the order of their names. */}}
{{- define "uplift.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end -}}

{{/* Sources of a projected volume. Context: a list of {secret, key, path}; those without a secret are left out. */}}
{{- define "uplift.projectedFiles" -}}
{{- range . }}
{{- if .secret }}
- secret:
    name: {{ .secret }}
    items:
      - {key: {{ .key | quote }}, path: {{ .path }}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "uplift.databaseFiles" -}}
- {secret: {{ .Values.database.passwordSecret.name }}, key: {{ .Values.database.passwordSecret.key | quote }}, path: database/password}
- {secret: {{ .Values.database.caSecret.name | quote }}, key: {{ .Values.database.caSecret.key | quote }}, path: database/ca.crt}
{{- end -}}

{{- define "uplift.files" -}}
{{- $v := .root.Values -}}
{{ include "uplift.databaseFiles" .root }}
- {secret: {{ $v.tokens.secret.name | quote }}, key: {{ $v.tokens.secret.key | quote }}, path: tokens/secret}
- {secret: {{ $v.artifacts.secret.name }}, key: {{ $v.artifacts.secret.key | quote }}, path: artifacts/secret}
- {secret: {{ $v.nats.credentialsSecret.name }}, key: {{ $v.nats.credentialsSecret.key | quote }}, path: nats/server.creds}
- {secret: {{ $v.nats.caSecret.name | quote }}, key: {{ $v.nats.caSecret.key | quote }}, path: nats/ca.crt}
- {secret: {{ $v.temporal.apiKeySecret.name | quote }}, key: {{ $v.temporal.apiKeySecret.key | quote }}, path: temporal/api-key}
{{- with $v.temporal.tlsSecret }}
{{- if .ca }}
- {secret: {{ .name | quote }}, key: {{ .ca | quote }}, path: temporal/ca.crt}
{{- end }}
{{- if .certificate }}
- {secret: {{ .name | quote }}, key: {{ .certificate | quote }}, path: temporal/tls.crt}
- {secret: {{ .name | quote }}, key: {{ .key | quote }}, path: temporal/tls.key}
{{- end }}
{{- end }}
{{- if and (contains "api" .roles) $v.enrolment.secretName }}
- {secret: {{ $v.enrolment.caSecret.name | quote }}, key: {{ $v.enrolment.caSecret.key | quote }}, path: enrolment/ca.crt}
{{- end }}
{{- end -}}

{{- define "uplift.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "uplift.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "uplift.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The ports that servers reach, from their addresses. Both roles send webhooks: workers events, REST tests of them. */}}
{{- define "uplift.egressPorts" -}}
{{- $ports := list -}}
{{- range splitList "," (regexReplaceAll "^jdbc:postgresql://([^/]*).*$" .Values.database.url "${1}") -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" . | trimPrefix ":" | default "5432") -}}
{{- end -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" .Values.temporal.address | trimPrefix ":" | default "7233") -}}
{{- range splitList "," .Values.nats.url -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" (trim .) | trimPrefix ":" | default "4222") -}}
{{- end -}}
{{- range .Values.oidc.issuers -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" (urlParse .issuer).host | trimPrefix ":" | default "443") -}}
{{- end -}}
{{- with .Values.settings.UPLIFT_TRACING_ENDPOINT -}}
{{- $url := toString . | urlParse -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https"))) -}}
{{- end -}}
{{- if .Values.networkPolicy.webhooks -}}
{{- $ports = append $ports "443" -}}
{{- end -}}
{{- $ports | uniq | sortAlpha | join "," -}}
{{- end -}}

{{- define "uplift.claimName" -}}
{{- .volume.existingClaim | default (printf "%s-%s" (include "uplift.fullname" .root) .name) -}}
{{- end -}}
