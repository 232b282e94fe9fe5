package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/// A private authority, and a certificate of it for the servers on this machine. Made when they are
/// first asked for; the authority's key is not kept, for nothing else is to be vouched for.
public final class Certificates {
  /// Of the key store, which its owner alone may read anyway.
  static final String PASSWORD = "uplift";

  private static final Duration GOOD_FOR = Duration.ofDays(3650);
  private static final String SIGNATURE = "1.2.840.10045.4.3.2";

  private final Path folder;

  Certificates(Path folder) {
    this.folder = folder;
  }

  /// Who vouches for the servers (PEM).
  public Path authority() {
    return made().resolve("ca.pem");
  }

  /// The certificate and its authority's (PEM).
  public Path chain() {
    return made().resolve("server.pem");
  }

  Path key() {
    return made().resolve("server.key");
  }

  /// Chain and key, as Java reads them.
  Path store() {
    return made().resolve("server.p12");
  }

  /// Another authority and its certificates, to be taken with [#exchange]: whoever is to trust what
  /// servers show from then on has to know this authority before.
  public Certificates next() {
    return new Certificates(folder.resolve("next"));
  }

  /// The next ones are these from now on. Servers show them after their next start.
  public synchronized void exchange() {
    Path next = next().made();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(next)) {
      for (Path each : all) {
        Files.move(each, folder.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized Path made() {
    if (!Files.exists(folder.resolve("complete"))) {
      try {
        make();
      } catch (GeneralSecurityException | IOException e) {
        throw new StackFailure("cannot make certificates: " + e.getMessage(), e);
      }
    }
    return folder;
  }

  private void make() throws GeneralSecurityException, IOException {
    KeyPair authority = pair();
    KeyPair server = pair();
    byte[] issuer = named("Uplift of this machine");
    byte[] ca = certificate(issuer, authority, authority.getPrivate(), issuer, forAuthority());
    byte[] own =
        certificate(named("localhost"), server, authority.getPrivate(), issuer, forServer());
    PrivateFile.write(folder.resolve("ca.pem"), pem("CERTIFICATE", ca));
    PrivateFile.write(
        folder.resolve("server.pem"), pem("CERTIFICATE", own) + pem("CERTIFICATE", ca));
    byte[] key = server.getPrivate().getEncoded();
    PrivateFile.write(folder.resolve("server.key"), pem("PRIVATE KEY", key));
    PrivateFile.write(folder.resolve("server.p12"), store(server.getPrivate(), own, ca));
    PrivateFile.write(folder.resolve("complete"), "");
  }

  private static byte[] store(PrivateKey key, byte[]... chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Certificate[] certificates = new Certificate[chain.length];
    for (int i = 0; i < chain.length; i++) {
      certificates[i] = factory.generateCertificate(new ByteArrayInputStream(chain[i]));
    }
    store.setKeyEntry("server", key, PASSWORD.toCharArray(), certificates);
    var bytes = new ByteArrayOutputStream();
    store.store(bytes, PASSWORD.toCharArray());
    return bytes.toByteArray();
  }

  private static KeyPair pair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static byte[] named(String name) {
    return Der.sequence(Der.set(Der.sequence(Der.name("2.5.4.3"), Der.text(name))));
  }

  private static byte[] forAuthority() {
    return Der.sequence(
        extension("2.5.29.19", true, Der.sequence(Der.flag(true))),
        // May sign certificates.
        extension("2.5.29.15", true, Der.bits(new byte[] {0x04}, 2)));
  }

  private static byte[] forServer() {
    byte[] names =
        Der.sequence(
            Der.tagged(0x82, "localhost".getBytes(US_ASCII)),
            Der.tagged(0x87, new byte[] {127, 0, 0, 1}));
    return Der.sequence(
        extension("2.5.29.17", false, names),
        extension("2.5.29.37", false, Der.sequence(Der.name("1.3.6.1.5.5.7.3.1"))));
  }

  private static byte[] extension(String name, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.name(name), Der.flag(true), Der.octets(value))
        : Der.sequence(Der.name(name), Der.octets(value));
  }

  private static byte[] certificate(
      byte[] subject, KeyPair pair, PrivateKey signer, byte[] issuer, byte[] extensions)
      throws GeneralSecurityException {
    Instant now = Instant.now();
    byte[] algorithm = Der.sequence(Der.name(SIGNATURE));
    byte[] body =
        Der.sequence(
            Der.tagged(0xA0, Der.number(BigInteger.TWO)),
            Der.number(new BigInteger(63, new SecureRandom()).add(BigInteger.ONE)),
            algorithm,
            issuer,
            Der.sequence(Der.time(now.minus(Duration.ofHours(1))), Der.time(now.plus(GOOD_FOR))),
            subject,
            pair.getPublic().getEncoded(),
            Der.tagged(0xA3, extensions));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signer);
    signature.update(body);
    return Der.sequence(body, algorithm, Der.bits(signature.sign(), 0));
  }

  private static String pem(String label, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
  }
}
