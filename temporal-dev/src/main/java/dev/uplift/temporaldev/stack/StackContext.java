package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProgramStarter;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.secrets.StackSecrets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Everything that the parts of one stack share.
///
/// @param usesTls whether servers use TLS with hosts
/// @param runner of nats-server and Temporal
record StackContext(
    PortAllocator ports, StackSecrets secrets, ProgramLocator programs, boolean usesTls, ProgramStarter runner) {

  /// Trusts the servers of the stack; empty without TLS.
  Optional<SSLContext> tls() {
    return usesTls ? Optional.of(trustingOwnCa()) : Optional.empty();
  }

  private SSLContext trustingOwnCa() {
    try (InputStream in = Files.newInputStream(secrets.certificates().caCertificate())) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("own", CertificateFactory.getInstance("X.509").generateCertificate(in));
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new StackException("cannot read the certificates of the stack: " + e.getMessage(), e);
    }
  }
}
