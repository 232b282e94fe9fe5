package dev.uplift.api.enrolment;

import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.enrolment.EnrolmentToken;
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
import java.util.Optional;

/// Issues enrolment tokens.
final class EnrolmentTokenIssuer {
  private final EnrolmentSettings settings;
  private final EnrolmentRepository enrolments;
  private final Instant expiresAt;
  private final String authorityHash;

  /// @param valid how long, from now on
  EnrolmentTokenIssuer(
      EnrolmentSettings settings, EnrolmentRepository enrolments, InstantSource clock, Duration valid) {
    this.settings = settings;
    this.enrolments = enrolments;
    this.expiresAt = clock.instant().plus(valid).truncatedTo(ChronoUnit.SECONDS);
    this.authorityHash = settings.certificateAuthorities().isEmpty() ? "" : sha256(settings.certificateAuthorities());
  }

  /// Issues a token. To be called within a transaction.
  EnrolmentTokenView issue(RequestContext requestContext, DeviceId device, HostId host) {
    JoinToken token = JoinToken.create(settings.serverUrl(), requestContext.tenant(), host.value(), authorityHash);
    String by = requestContext.caller().name();
    enrolments.createToken(new EnrolmentToken(requestContext.tenant(), host, token.hash(), by, expiresAt));
    Optional<String> shown = requestContext.isValidateOnly() ? Optional.empty() : Optional.of(token.encode());
    return new EnrolmentTokenView(device.name(), host.value(), shown, expiresAt);
  }

  /// Returns the digest of the first certificate.
  private static String sha256(String pem) {
    try (var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))) {
      byte[] der = CertificateFactory.getInstance("X.509").generateCertificate(in).getEncoded();
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(der));
    } catch (CertificateException e) {
      throw new IllegalArgumentException("UPLIFT_ENROLMENT_CA_FILE: expected a certificate", e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
