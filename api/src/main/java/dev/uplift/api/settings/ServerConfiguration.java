package dev.uplift.api.settings;

import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.api.security.TokenRules;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.presence.OutageRule;
import dev.uplift.services.archive.ArchiveSettings;
import dev.uplift.services.tracing.TracingSettings;
import dev.uplift.services.webhook.WebhookSettings;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Every setting of the server but those of [ConnectionConfiguration], one record per group. `UPLIFT_JWT_AUDIENCE` is
/// `uplift.jwt.audience` is [JwtConfiguration#audience]. A component that is neither [Optional] nor has a default is
/// required.
///
/// @param roles what this process does
@Introspected
@ConfigurationProperties("uplift")
record ServerConfiguration(
    @SettingDescription("`api` serves REST and artifacts, `worker` executes upgrades")
        @Bindable(defaultValue = "api,worker")
        Set<ServerRole> roles,
    @SettingDescription("base URL under which hosts reach this server; every artifact URL begins with it")
        @Pattern(
            regexp = "https?://.+",
            message = "expected how hosts reach this server, such as https://uplift.example.com")
        String publicUrl) {

  private static final String REQUESTS_PER_MINUTE = "expected requests per minute, at least 1";
  private static final String STEP_TIMEOUT = "timeout of this step, at most P7D";

  private static final java.util.regex.Pattern ENDPOINT =
      java.util.regex.Pattern.compile("https?://[\\w.:-]+/[\\w./-]*");

  /// How commands are signed.
  @Introspected
  @ConfigurationProperties("uplift.command")
  record CommandConfiguration(
      @SettingDescription(
              "private keys that sign commands (`*.pem`, PKCS#8, Ed25519); the root of the tenant says which")
          Path keysFolder) {}

  /// Artifacts of releases.
  @Introspected
  @ConfigurationProperties("uplift.artifacts")
  record ArtifactsConfiguration(
      @SettingDescription("file with the secrets that sign artifact URLs, one a line, each of at least 16 characters")
          Path secretFile,
      @SettingDescription("where artifacts are stored, a folder per tenant") Path folder,
      @SettingDescription("MiB that all artifacts of one tenant may take")
          @Bindable(defaultValue = "102400")
          @Min(value = 1, message = "expected MiB, at least 1")
          int tenantQuotaMib,
      @SettingDescription("MiB of that disk that artifacts leave free")
          @Bindable(defaultValue = "1024")
          @Min(value = 0, message = "expected MiB, at least 0")
          int reservedMib) {

    ArtifactLimits limits() {
      return ArtifactLimits.ofMebibytes(tenantQuotaMib, reservedMib);
    }
  }

  /// Requests before they are complete.
  @Introspected
  @ConfigurationProperties("uplift.requests")
  record RequestsConfiguration(
      @SettingDescription("how long a client may take to send the head of a request, and each 64 KiB of its body")
          @Bindable(defaultValue = "PT1M")
          Duration timeout) {}

  /// Bearer tokens of operators.
  @Introspected
  @ConfigurationProperties("uplift.jwt")
  record JwtConfiguration(
      @SettingDescription(
              value = "file with the secrets that sign bearer tokens, one a line, each of at least 32 bytes",
              otherwise = "tokens of issuers only")
          Optional<Path> secretFile,
      @SettingDescription("the longest time from when a bearer token was issued (`iat`) to its expiry")
          @Bindable(defaultValue = "P90D")
          Duration maxLifetime,
      @SettingDescription(value = "what the claim `aud` of bearer tokens has to name", otherwise = "any audience")
          Optional<String> audience) {

    TokenRules rules() {
      return new TokenRules(maxLifetime, audience);
    }
  }

  /// Bearer tokens of OpenID Connect issuers.
  @Introspected
  @ConfigurationProperties("uplift.oidc")
  record OidcConfiguration(
      @SettingDescription(
              value = "file with the OpenID Connect issuers whose bearer tokens are accepted (JSON)",
              otherwise = "no issuer")
          Optional<Path> issuersFile) {}

  /// The enrolment of hosts.
  @Introspected
  @ConfigurationProperties("uplift.enrolment")
  record EnrolmentConfiguration(
      @SettingDescription(
              value = "keys that admit hosts to NATS, made by `uplift nats init`",
              otherwise = "no host can join")
          Optional<Path> keysFolder,
      @SettingDescription(value = "URL under which hosts reach this server", otherwise = "`UPLIFT_PUBLIC_URL`")
          Optional<String> serverUrl,
      @SettingDescription(value = "URL under which hosts reach NATS", otherwise = "`UPLIFT_NATS_URL`")
          Optional<String> natsUrl,
      @SettingDescription(value = "certificate authorities (PEM) of both, for hosts", otherwise = "those of the host")
          Optional<Path> caFile,
      @SettingDescription(
              "requests of hosts without a current key that this server answers per minute, and as many of hosts with one")
          @Bindable(defaultValue = "6000")
          @Min(value = 1, message = REQUESTS_PER_MINUTE)
          int requestsPerMinute,
      @SettingDescription("and those without a key from one address")
          @Bindable(defaultValue = "1200")
          @Min(value = 1, message = REQUESTS_PER_MINUTE)
          int requestsPerMinutePerAddress) {

    JoinRateLimits rateLimits() {
      return new JoinRateLimits(requestsPerMinute, requestsPerMinutePerAddress);
    }
  }

  /// The presence of hosts.
  @Introspected
  @ConfigurationProperties("uplift.presence")
  record PresenceConfiguration(
      @SettingDescription("a host without a heartbeat for this long counts as silent")
          @Bindable(defaultValue = "PT100S")
          Duration silentAfter,
      @SettingDescription(
              "if more than this percentage of a tenant's hosts, and at least 5, stop being heard at the same time,"
                  + " they are `unknown` rather than `silent`; 100: never")
          @Bindable(defaultValue = "20")
          @Min(value = 1, message = "expected a percentage, 1 to 100")
          @Max(value = 100, message = "expected a percentage, 1 to 100")
          int outagePercent,
      @SettingDescription("and for at most this long") @Bindable(defaultValue = "PT6H") Duration outageLimit) {

    OutageRule outageRule() {
      return new OutageRule(OutageRule.DEFAULTS.minHosts(), outagePercent, outageLimit);
    }
  }

  /// Periodic work.
  @Introspected
  @ConfigurationProperties("uplift.reconcile")
  record ReconcileConfiguration(
      @SettingDescription(
              "how often upgrades without a workflow and steps of a frozen server are looked for, schedules of policies"
                  + " are set right, revoked keys are published and deleted tenants removed")
          @Bindable(defaultValue = "PT1M")
          Duration interval) {}

  /// Records that leave the tables.
  @Introspected
  @ConfigurationProperties("uplift.archive")
  record ArchiveConfiguration(
      @SettingDescription(
              value = "where upgrades, rollouts, barriers and audit entries are moved to once they are old",
              otherwise = "none: the tables keep everything")
          Optional<Path> folder,
      @SettingDescription("age of upgrades, rollouts and barriers since their end, at least `P30D`")
          @Bindable(defaultValue = "P400D")
          Duration after,
      @SettingDescription("age of audit entries, at least `P30D`") @Bindable(defaultValue = "P1095D")
          Duration auditAfter) {

    private static final Duration LEAST = Duration.ofDays(30);

    /// Returns what is wrong; empty if nothing is. Until then hosts and clients may repeat what they have sent.
    Optional<String> fault() {
      return Stream.of(Map.entry("UPLIFT_ARCHIVE_AFTER", after), Map.entry("UPLIFT_ARCHIVE_AUDIT_AFTER", auditAfter))
          .filter(age -> age.getValue().compareTo(LEAST) < 0)
          .map(age -> "%s: expected at least P30D, found %s".formatted(age.getKey(), age.getValue()))
          .findFirst();
    }

    ArchiveSettings settings() {
      return new ArchiveSettings(folder, after, auditAfter);
    }
  }

  /// Rollouts that start from now on.
  @Introspected
  @ConfigurationProperties("uplift.rollouts")
  record RolloutsConfiguration(
      @SettingDescription("how long the activity of a rollout may be silent before another worker takes it over")
          @Bindable(defaultValue = "PT30S")
          Duration heartbeatTimeout) {

    RolloutTimeouts timeouts() {
      RolloutTimeouts defaults = RolloutTimeouts.DEFAULTS;
      return new RolloutTimeouts(defaults.maxRun(), heartbeatTimeout, defaults.maxIdle());
    }
  }

  /// How long the steps of an upgrade may take: [UpgradeTimeouts#DEFAULTS] unless set.
  @Introspected
  @ConfigurationProperties("uplift.timeouts")
  record TimeoutsConfiguration(
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT6H") Duration prepare,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT1H") Duration upgrade,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT15M") Duration reboot,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT10M") Duration awaitSuccessor,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT10M") Duration stop,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT10M") Duration awaitHeartbeat,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT10M") Duration commit,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT2H") Duration rollback,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT10M") Duration inspect,
      @SettingDescription(STEP_TIMEOUT) @Bindable(defaultValue = "PT5M") Duration cancel,
      @SettingDescription("first pause before a command is published again") @Bindable(defaultValue = "PT10M")
          Duration resendInterval,
      @SettingDescription("longest such pause") @Bindable(defaultValue = "PT1H") Duration maxResendInterval,
      @SettingDescription("pause before a failed step is tried again") @Bindable(defaultValue = "PT1M")
          Duration retryBackoff,
      @SettingDescription("how long an abort waits for the host that is at work") @Bindable(defaultValue = "PT5M")
          Duration abortGrace,
      @SettingDescription("longest time-out of a step that upgrades, rollouts and releases may ask for, at most P7D")
          @Bindable(defaultValue = "PT24H")
          Duration longest) {

    /// Returns what is wrong; empty if nothing is. Hosts are told how long a step may take, and accept no more.
    Optional<String> fault() {
      return Stream.concat(
              upgradeTimeouts().stepTimeout().entrySet().stream()
                  .sorted(Map.Entry.comparingByKey())
                  .map(step -> Map.entry(step.getKey().name(), step.getValue())),
              Stream.of(Map.entry("LONGEST", longest)))
          .filter(timeout -> timeout.getValue().compareTo(StepTimeouts.MAX) > 0)
          .map(timeout ->
              "UPLIFT_TIMEOUTS_%s: expected at most P7D, found %s".formatted(timeout.getKey(), timeout.getValue()))
          .findFirst();
    }

    StepTimeoutResolver.Bound bound() {
      return new StepTimeoutResolver.Bound(longest);
    }

    UpgradeTimeouts upgradeTimeouts() {
      return new UpgradeTimeouts(
          Map.ofEntries(
              Map.entry(Step.PREPARE, prepare),
              Map.entry(Step.UPGRADE, upgrade),
              Map.entry(Step.REBOOT, reboot),
              Map.entry(Step.AWAIT_SUCCESSOR, awaitSuccessor),
              Map.entry(Step.STOP, stop),
              Map.entry(Step.AWAIT_HEARTBEAT, awaitHeartbeat),
              Map.entry(Step.COMMIT, commit),
              Map.entry(Step.ROLLBACK, rollback),
              Map.entry(Step.INSPECT, inspect),
              Map.entry(Step.CANCEL, cancel)),
          resendInterval,
          resendInterval.compareTo(maxResendInterval) > 0 ? resendInterval : maxResendInterval,
          retryBackoff,
          abortGrace);
    }
  }

  /// Webhooks.
  @Introspected
  @ConfigurationProperties("uplift.webhooks")
  record WebhooksConfiguration(
      @SettingDescription(
              "whether webhooks may be sent to addresses that are not of the Internet, and without TLS: `no` or `yes`")
          @Bindable(defaultValue = "no")
          @Pattern(regexp = "no|yes", message = "expected no or yes")
          String privateReceivers,
      @SettingDescription("how long a receiver may accept nothing before its webhook is disabled, at most `P7D`")
          @Bindable(defaultValue = "PT24H")
          Duration disableAfter) {

    private static final Duration LONGEST = Duration.ofDays(7);

    /// Returns what is wrong; empty if nothing is. Events are not kept for ever.
    Optional<String> fault() {
      return Optional.of(disableAfter)
          .filter(time -> time.compareTo(LONGEST) > 0)
          .map("UPLIFT_WEBHOOKS_DISABLE_AFTER: expected at most P7D, found %s"::formatted);
    }

    WebhookSettings settings() {
      return new WebhookSettings(privateReceivers.equals("yes"), disableAfter);
    }
  }

  /// Traces.
  @Introspected
  @ConfigurationProperties("uplift.tracing")
  record TracingConfiguration(
      @SettingDescription(
              value =
                  "where spans are sent, by OTLP over HTTP with the whole path, such as"
                      + " `http://collector:4318/v1/traces`",
              otherwise = "none: nothing is recorded")
          Optional<String> endpoint,
      @SettingDescription("how many of the traces that begin at this server are recorded, in percent")
          @Bindable(defaultValue = "100")
          @Min(value = 0, message = "expected a percentage, 0 to 100")
          @Max(value = 100, message = "expected a percentage, 0 to 100")
          int samplePercent) {

    /// Returns what is wrong; empty if nothing is.
    Optional<String> fault() {
      return endpoint
          .filter(url -> !ENDPOINT.matcher(url).matches())
          .map("UPLIFT_TRACING_ENDPOINT: expected http://HOST:PORT/v1/traces or https://…, found %s"::formatted);
    }

    TracingSettings settings() {
      return new TracingSettings(endpoint.map(URI::create), samplePercent);
    }
  }

  /// The log, which `logback.xml` configures.
  @Introspected
  @ConfigurationProperties("uplift.log")
  record LogConfiguration(
      @SettingDescription("lines of the log: `text`, or `json` with one object a line")
          @Bindable(defaultValue = "text")
          @Pattern(regexp = "text|json", message = "expected text or json")
          String format) {}
}
