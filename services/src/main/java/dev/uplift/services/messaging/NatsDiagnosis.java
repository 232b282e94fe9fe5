package dev.uplift.services.messaging;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.diagnosis.ClockComparison;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.messaging.StreamProvisioner.FoundStreams;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfo;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Checks the connection to NATS, its version, TLS and clock, and the streams with their replicas and consumers.
@Singleton
public final class NatsDiagnosis implements DiagnosisCheck {
  private static final String PART = "nats";
  private static final String STREAMS = "streams";

  /// With fewer, hosts are answered within seconds, so more of them wait for something.
  private static final long MANY_UNHANDLED = 10_000;

  private static final int NEARLY_FULL_PERCENT = 90;

  /// The oldest version that production is tested with.
  private static final NatsVersion OLDEST = new NatsVersion(2, 14, 3);

  private static final Pattern VERSION = Pattern.compile("v?(\\d+)\\.(\\d+)\\.(\\d+).*");

  private final NatsConnection nats;
  private final NatsSettings settings;
  private final InstantSource clock;

  public NatsDiagnosis(NatsConnection nats, NatsSettings settings, InstantSource clock) {
    this.nats = nats;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    try {
      Connection connection = nats.connection();
      List<DiagnosisFinding> findings = new ArrayList<>();
      findings.add(judgeVersion(connection.getServerInfo().getVersion()));
      findings.add(judgeEncryption(settings.addresses()));
      compareClocks(connection).ifPresent(findings::add);
      FoundStreams found = StreamProvisioner.find(connection);
      findings.addAll(judgeMissing(found.missing()));
      conditions(found).map(NatsDiagnosis::judge).forEach(findings::addAll);
      return findings;
    } catch (NatsUnavailable | IOException | JetStreamApiException | IllegalStateException e) {
      return List.of(DiagnosisFinding.critical(PART, String.valueOf(e.getMessage()), advice(nats.failure())));
    }
  }

  private static String advice(Optional<ConnectionFailure> failure) {
    return switch (failure.map(ConnectionFailure::kind).orElse(ConnectionFailure.Kind.UNREACHABLE)) {
      case UNREACHABLE ->
          "start NATS, or correct UPLIFT_NATS_URL or its credentials; the log of this server has NATS' own words";
      case NOT_READY -> "mend what the text names; the logs of this server and of nats-server have more";
      case PLACEMENT_REFUSED ->
          "correct UPLIFT_NATS_REPLICAS or UPLIFT_NATS_PLACEMENT_… and restart, or add nats-servers";
    };
  }

  private record NatsVersion(int major, int minor, int patch) implements Comparable<NatsVersion> {
    private static final Comparator<NatsVersion> ORDER =
        Comparator.comparingInt(NatsVersion::major)
            .thenComparingInt(NatsVersion::minor)
            .thenComparingInt(NatsVersion::patch);

    static Optional<NatsVersion> of(String text) {
      Matcher matcher = VERSION.matcher(text);
      return matcher.matches()
          ? Optional.of(
              new NatsVersion(
                  Integer.parseInt(matcher.group(1)),
                  Integer.parseInt(matcher.group(2)),
                  Integer.parseInt(matcher.group(3))))
          : Optional.empty();
    }

    @Override
    public int compareTo(NatsVersion other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return "%d.%d.%d".formatted(major, minor, patch);
    }
  }

  static DiagnosisFinding judgeVersion(String text) {
    return NatsVersion.of(text).filter(found -> found.compareTo(OLDEST) < 0).isPresent()
        ? DiagnosisFinding.warning(
            PART, "nats-server %s is older than %s".formatted(text, OLDEST), "upgrade nats-server")
        : DiagnosisFinding.ok(PART, "nats-server %s answers".formatted(text));
  }

  static DiagnosisFinding judgeEncryption(List<URI> addresses) {
    List<String> open = addresses.stream().filter(NatsDiagnosis::isOpen).map(URI::toString).toList();
    return open.isEmpty()
        ? DiagnosisFinding.ok(PART, "its connection is encrypted, or stays on this machine")
        : DiagnosisFinding.warning(
            PART,
            "the connection to %s is not encrypted".formatted(String.join(", ", open)),
            "give nats-server a certificate, and UPLIFT_NATS_URL an address that begins with tls://");
  }

  private static boolean isOpen(URI address) {
    String host = String.valueOf(address.getHost());
    boolean isLocal = host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    return !isLocal && !List.of("tls", "wss", "opentls").contains(address.getScheme().toLowerCase(Locale.ROOT));
  }

  /// Empty if this NATS does not tell its time.
  private Optional<DiagnosisFinding> compareClocks(Connection connection) throws IOException, JetStreamApiException {
    Instant before = clock.instant();
    StreamInfo info = connection.jetStreamManagement().getStreamInfo(Subjects.COMMAND_STREAM);
    Instant after = clock.instant();
    return Optional.ofNullable(info.getTimestamp())
        .map(time -> ClockComparison.judge(PART, before, time.toInstant(), after));
  }

  static List<DiagnosisFinding> judgeMissing(List<String> missing) {
    return missing.isEmpty()
        ? List.of(DiagnosisFinding.ok(STREAMS, "all streams and consumers are there"))
        : List.of(
            DiagnosisFinding.critical(
                STREAMS,
                "NATS has lost " + String.join(", ", missing),
                "nothing: a server creates them again within seconds; if not, its log says why"));
  }

  /// A stream as it is.
  ///
  /// @param current replicas that have all messages
  /// @param maxBytes 0 or less: it has no bound
  /// @param unhandled messages that the consumer of the servers has not acknowledged; 0 if it has none
  record StreamCondition(String name, int replicas, long current, long bytes, long maxBytes, long unhandled) {}

  private static Stream<StreamCondition> conditions(FoundStreams found) {
    return found.streams().entrySet().stream()
        .filter(each -> StreamProvisioner.STREAMS.contains(each.getKey()))
        .map(each -> condition(each.getValue(), Optional.ofNullable(found.consumers().get(each.getKey()))));
  }

  private static StreamCondition condition(StreamInfo stream, Optional<ConsumerInfo> consumer) {
    return new StreamCondition(
        stream.getConfiguration().getName(),
        stream.getConfiguration().getReplicas(),
        StreamMonitor.currentReplicas(stream),
        stream.getStreamState().getByteCount(),
        stream.getConfiguration().getMaxBytes(),
        consumer.map(each -> each.getNumPending() + each.getNumAckPending()).orElse(0L));
  }

  static List<DiagnosisFinding> judge(StreamCondition stream) {
    List<DiagnosisFinding> findings = new ArrayList<>();
    if (stream.current() < stream.replicas()) {
      findings.add(
          DiagnosisFinding.warning(
              STREAMS,
              "%d of %d replicas of %s have all messages".formatted(stream.current(), stream.replicas(), stream.name()),
              "start the nats-server that is missing; `nats stream report` names it"));
    }
    if (stream.maxBytes() > 0 && stream.bytes() * 100 >= stream.maxBytes() * NEARLY_FULL_PERCENT) {
      findings.add(
          DiagnosisFinding.warning(
              STREAMS,
              "%s is %d %% full, and then drops its oldest messages"
                  .formatted(stream.name(), stream.bytes() * 100 / stream.maxBytes()),
              "`nats stream edit %s --max-bytes …`, which servers keep".formatted(stream.name())));
    }
    if (stream.unhandled() >= MANY_UNHANDLED) {
      findings.add(
          DiagnosisFinding.warning(
              STREAMS,
              "%,d messages of %s wait for a server".formatted(stream.unhandled(), stream.name()),
              "start servers of the role worker; if they run, the database may be slow"));
    }
    return findings;
  }
}
