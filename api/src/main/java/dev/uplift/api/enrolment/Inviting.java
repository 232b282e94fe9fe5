package dev.uplift.api.enrolment;

import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.api.call.Call;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Invitation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/// Makes tokens.
final class Inviting {
  private final EnrolmentSettings settings;
  private final Enrolments enrolments;
  private final Instant expires;
  private final String authority;

  /// @param valid from now on
  Inviting(EnrolmentSettings settings, Enrolments enrolments, InstantSource clock, Duration valid) {
    this.settings = settings;
    this.enrolments = enrolments;
    this.expires = clock.instant().plus(valid).truncatedTo(ChronoUnit.SECONDS);
    this.authority = settings.authorities().isEmpty() ? "" : hash(settings.authorities());
  }

  /// Within what changes the tables.
  InvitationView invite(Call call, DeviceId device, HostId host) {
    JoinToken token = JoinToken.make(settings.server(), call.tenant(), host.value(), authority);
    String by = call.caller().name();
    enrolments.invite(new Invitation(call.tenant(), host, token.hash(), by, expires));
    return new InvitationView(device.name(), host.value(), token.text(), expires);
  }

  /// Of the first certificate.
  private static String hash(String pem) {
    try (var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))) {
      byte[] der = CertificateFactory.getInstance("X.509").generateCertificate(in).getEncoded();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("UPLIFT_HOSTS_CA_FILE: expected a certificate", e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
