package dev.uplift.services.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.store.trust.TrustRootRow;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TrustRootExpiryMonitorTest {
  private static final Instant END = Instant.parse("2027-03-01T00:00:00Z");

  private final TenantFixture tenancy = new TenantFixture();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private Instant now = END;
  private final TrustRootExpiryMonitor expiries =
      new TrustRootExpiryMonitor(tenancy.trustRoots(), tenancy.enrolments(), () -> now, meters);

  @AfterEach
  void close() {
    tenancy.close();
  }

  @Test
  void theMetricCountsDownToTheFirstExpiryUntilTheNextRoot() {
    expiries.check();
    assertThat(figure("uplift.trust.root.expires.in")).isNaN();

    tenancy.publish(END, SigningKey.generate());
    now = END.minus(Duration.ofDays(31));
    expiries.check();
    assertThat(figure("uplift.trust.root.expires.in")).isEqualTo(days(31));
    assertThat(figure("uplift.trust.roots.expiring")).isZero();

    now = END.minus(Duration.ofDays(29));
    expiries.check();
    assertThat(figure("uplift.trust.root.expires.in")).isEqualTo(days(29));
    assertThat(figure("uplift.trust.roots.expiring")).isOne();
    assertThat(figure("uplift.host.jwts.not.renewed")).isZero();

    tenancy.publish(END.plus(Duration.ofDays(365)), SigningKey.generate());
    expiries.check();
    assertThat(figure("uplift.trust.root.expires.in")).isGreaterThan(days(300));
    assertThat(figure("uplift.trust.roots.expiring")).isZero();
  }

  @Test
  void aWarningNamesTheRootItsExpiryAndTheCommands() {
    TrustRootRow row = tenancy.publish(END, SigningKey.generate());
    List<TrustRoot> roots = List.of(TrustRoot.read(row.document().getBytes(StandardCharsets.UTF_8)));

    assertThat(warnings(roots, END.minus(Duration.ofDays(30)))).isEmpty();
    assertThat(warnings(roots, END.minus(Duration.ofDays(12))))
        .containsExactly(
            "root 1 of %s expires in 12 days, at 2027-03-01T00:00:00Z: `uplift keys root renew`, sign, publish"
                .formatted(tenancy.name));
    assertThat(warnings(roots, END).getFirst())
        .startsWith("root 1 of " + tenancy.name + " expired at 2027-03-01T00:00:00Z");
  }

  private static List<String> warnings(List<TrustRoot> roots, Instant at) {
    return TrustRootExpiryReport.of(roots, at).warnings(at);
  }

  private static double days(int days) {
    return 86_400.0 * days;
  }

  private double figure(String name) {
    return meters.get(name).gauge().value();
  }
}
