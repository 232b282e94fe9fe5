{{/* What the schema of the values cannot say. */}}
{{- define "uplift.checkValues" -}}
{{- $api := int .Values.api.replicas -}}
{{- if and .Values.autoscaling.enabled (not .Values.separateWorkers) -}}
{{- $api = int .Values.autoscaling.maxReplicas -}}
{{- end -}}
{{- if and (gt $api 1) (not .Values.artifacts.volume.existingClaim) (ne .Values.artifacts.volume.accessMode "ReadWriteMany") -}}
{{- fail "artifacts.volume.accessMode: several servers with the role api share the artifacts; expected ReadWriteMany, or api.replicas=1" -}}
{{- end -}}
{{- with .Values.temporal -}}
{{- if not (or .tlsSecret.name .apiKeySecret.name .trustedNetwork) -}}
{{- fail "temporal: expected tlsSecret.name or apiKeySecret.name; without TLS, trustedNetwork=true" -}}
{{- end -}}
{{- if and .tlsSecret.name (ne (empty .tlsSecret.certificate) (empty .tlsSecret.key)) -}}
{{- fail "temporal.tlsSecret: expected certificate and key, or neither" -}}
{{- end -}}
{{- end -}}
{{- if not (or .Values.tokens.secret.name .Values.oidc.issuers) -}}
{{- fail "tokens: expected tokens.secret.name or oidc.issuers; without them no one could log in" -}}
{{- end -}}
{{- if .Values.enrolment.secretName -}}
{{- if not (hasPrefix "https://" (.Values.enrolment.serverUrl | default .Values.publicUrl)) -}}
{{- fail "enrolment: hosts join by https:// only: publicUrl or enrolment.serverUrl" -}}
{{- end -}}
{{- if not (hasPrefix "tls://" (.Values.enrolment.natsUrl | default .Values.nats.url)) -}}
{{- fail "enrolment: hosts reach NATS by tls:// only: nats.url or enrolment.natsUrl" -}}
{{- end -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- fail "autoscaling: minReplicas is more than maxReplicas" -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.parentRefs: expected at least one gateway" -}}
{{- end -}}
{{- end -}}
