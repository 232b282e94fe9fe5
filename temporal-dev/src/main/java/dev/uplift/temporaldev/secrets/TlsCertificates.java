package dev.uplift.temporaldev.secrets;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.cli.keys.PrivateFile;
import dev.uplift.temporaldev.process.StackException;
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
public final class TlsCertificates {
  /// Of the key store, which its owner alone may read anyway.
  public static final String KEY_STORE_PASSWORD = "uplift";

  private static final Duration VALIDITY = Duration.ofDays(3650);
  private static final String SIGNATURE_ALGORITHM = "1.2.840.10045.4.3.2";

  private final Path folder;

  TlsCertificates(Path folder) {
    this.folder = folder;
  }

  /// Who vouches for the servers (PEM).
  public Path caCertificate() {
    return createIfMissing().resolve("ca.pem");
  }

  /// The certificate and its authority's (PEM).
  public Path serverChain() {
    return createIfMissing().resolve("server.pem");
  }

  public Path serverKey() {
    return createIfMissing().resolve("server.key");
  }

  /// Chain and key, as Java reads them.
  public Path keyStore() {
    return createIfMissing().resolve("server.p12");
  }

  /// Another authority and its certificates, to be taken with [#activateNext]: whoever is to trust
  /// what servers show from then on has to know this authority before.
  public TlsCertificates prepareNext() {
    return new TlsCertificates(folder.resolve("next"));
  }

  /// The next ones are these from now on. Servers show them after their next start.
  public synchronized void activateNext() {
    Path next = prepareNext().createIfMissing();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(next)) {
      for (Path each : all) {
        Files.move(each, folder.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized Path createIfMissing() {
    if (!Files.exists(folder.resolve("complete"))) {
      try {
        create();
      } catch (GeneralSecurityException | IOException e) {
        throw new StackException("cannot make certificates: " + e.getMessage(), e);
      }
    }
    return folder;
  }

  private void create() throws GeneralSecurityException, IOException {
    KeyPair authority = createKeyPair();
    KeyPair server = createKeyPair();
    byte[] issuer = distinguishedName("Uplift of this machine");
    byte[] ca = certificate(issuer, authority, authority.getPrivate(), issuer, caExtensions());
    byte[] own =
        certificate(
            distinguishedName("localhost"),
            server,
            authority.getPrivate(),
            issuer,
            serverExtensions());
    PrivateFile.write(folder.resolve("ca.pem"), pem("CERTIFICATE", ca));
    PrivateFile.write(
        folder.resolve("server.pem"), pem("CERTIFICATE", own) + pem("CERTIFICATE", ca));
    byte[] key = server.getPrivate().getEncoded();
    PrivateFile.write(folder.resolve("server.key"), pem("PRIVATE KEY", key));
    PrivateFile.write(folder.resolve("server.p12"), keyStore(server.getPrivate(), own, ca));
    PrivateFile.write(folder.resolve("complete"), "");
  }

  private static byte[] keyStore(PrivateKey key, byte[]... chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Certificate[] certificates = new Certificate[chain.length];
    for (int i = 0; i < chain.length; i++) {
      certificates[i] = factory.generateCertificate(new ByteArrayInputStream(chain[i]));
    }
    store.setKeyEntry("server", key, KEY_STORE_PASSWORD.toCharArray(), certificates);
    var bytes = new ByteArrayOutputStream();
    store.store(bytes, KEY_STORE_PASSWORD.toCharArray());
    return bytes.toByteArray();
  }

  private static KeyPair createKeyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static byte[] distinguishedName(String name) {
    return DerEncoder.sequence(
        DerEncoder.set(
            DerEncoder.sequence(
                DerEncoder.objectIdentifier("2.5.4.3"), DerEncoder.utf8String(name))));
  }

  private static byte[] caExtensions() {
    return DerEncoder.sequence(
        extension("2.5.29.19", true, DerEncoder.sequence(DerEncoder.bool(true))),
        // May sign certificates.
        extension("2.5.29.15", true, DerEncoder.bitString(new byte[] {0x04}, 2)));
  }

  private static byte[] serverExtensions() {
    byte[] names =
        DerEncoder.sequence(
            DerEncoder.tagged(0x82, "localhost".getBytes(US_ASCII)),
            DerEncoder.tagged(0x87, new byte[] {127, 0, 0, 1}));
    return DerEncoder.sequence(
        extension("2.5.29.17", false, names),
        extension(
            "2.5.29.37",
            false,
            DerEncoder.sequence(DerEncoder.objectIdentifier("1.3.6.1.5.5.7.3.1"))));
  }

  private static byte[] extension(String name, boolean critical, byte[] value) {
    return critical
        ? DerEncoder.sequence(
            DerEncoder.objectIdentifier(name), DerEncoder.bool(true), DerEncoder.octetString(value))
        : DerEncoder.sequence(DerEncoder.objectIdentifier(name), DerEncoder.octetString(value));
  }

  private static byte[] certificate(
      byte[] subject, KeyPair pair, PrivateKey signer, byte[] issuer, byte[] extensions)
      throws GeneralSecurityException {
    Instant now = Instant.now();
    byte[] algorithm = DerEncoder.sequence(DerEncoder.objectIdentifier(SIGNATURE_ALGORITHM));
    byte[] body =
        DerEncoder.sequence(
            DerEncoder.tagged(0xA0, DerEncoder.integer(BigInteger.TWO)),
            DerEncoder.integer(new BigInteger(63, new SecureRandom()).add(BigInteger.ONE)),
            algorithm,
            issuer,
            DerEncoder.sequence(
                DerEncoder.utcTime(now.minus(Duration.ofHours(1))),
                DerEncoder.utcTime(now.plus(VALIDITY))),
            subject,
            pair.getPublic().getEncoded(),
            DerEncoder.tagged(0xA3, extensions));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(signer);
    signature.update(body);
    return DerEncoder.sequence(body, algorithm, DerEncoder.bitString(signature.sign(), 0));
  }

  private static String pem(String label, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
  }
}
