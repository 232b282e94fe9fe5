package dev.uplift.temporaldev.secrets;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.commons.io.function.Uncheck;

/// A private certificate authority, and a certificate by it for the servers on this machine. Created at the first use
/// by `keytool`; the authority's key is not kept, because it signs nothing else.
public final class TlsCertificates {
  /// Password of the key store, which only its owner may read anyway.
  public static final String KEY_STORE_PASSWORD = "uplift";

  private static final String VALIDITY_DAYS = "3650";

  private final Path folder;

  TlsCertificates(Path folder) {
    this.folder = folder;
  }

  /// Returns the authority's certificate (PEM).
  public Path caCertificate() {
    return createIfMissing().resolve("ca.pem");
  }

  /// Returns the server's certificate and its authority's (PEM).
  public Path serverChain() {
    return createIfMissing().resolve("server.pem");
  }

  public Path serverKey() {
    return createIfMissing().resolve("server.key");
  }

  /// Returns chain and key as a PKCS#12 key store.
  public Path keyStore() {
    return createIfMissing().resolve("server.p12");
  }

  /// Creates another authority and its certificates, for [#activateNext]. Clients have to trust this authority before
  /// servers use its certificates.
  public TlsCertificates prepareNext() {
    return new TlsCertificates(folder.resolve("next"));
  }

  /// Replaces the current certificates by the next ones. Servers use them from their next start.
  public synchronized void activateNext() {
    Path next = prepareNext().createIfMissing();
    Uncheck.run(() -> {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(next)) {
        for (Path each : all) {
          Files.move(each, folder.resolve(each.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    });
  }

  private synchronized Path createIfMissing() {
    if (!Files.exists(folder.resolve("complete"))) {
      try {
        create();
      } catch (GeneralSecurityException | IOException e) {
        throw new StackException("cannot create certificates: " + e.getMessage(), e);
      }
    }
    return folder;
  }

  private void create() throws GeneralSecurityException, IOException {
    Path all = PrivateFile.createFolder(folder).resolve("all.p12");
    Files.deleteIfExists(all);
    generateKeyPair(
        all,
        "ca",
        "CN=Uplift of this machine",
        List.of("-ext", "bc:critical=ca:true", "-ext", "ku:critical=keyCertSign"));
    generateKeyPair(
        all,
        "server",
        "CN=localhost",
        List.of("-signer", "ca", "-ext", "san=dns:localhost,ip:127.0.0.1", "-ext", "eku=serverAuth"));
    KeyStore generated = KeyStore.getInstance(all.toFile(), KEY_STORE_PASSWORD.toCharArray());
    // With the key of the authority.
    Files.delete(all);
    Key key = generated.getKey("server", KEY_STORE_PASSWORD.toCharArray());
    Certificate own = generated.getCertificate("server");
    Certificate ca = generated.getCertificate("ca");
    String caPem = pem("CERTIFICATE", ca.getEncoded());
    PrivateFile.write(folder.resolve("ca.pem"), caPem);
    PrivateFile.write(folder.resolve("server.pem"), pem("CERTIFICATE", own.getEncoded()) + caPem);
    PrivateFile.write(folder.resolve("server.key"), pem("PRIVATE KEY", key.getEncoded()));
    PrivateFile.write(folder.resolve("server.p12"), keyStore(key, own, ca));
    PrivateFile.write(folder.resolve("complete"), "");
  }

  private static void generateKeyPair(Path keyStore, String alias, String name, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", alias, "-dname", name));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    command.addAll(List.of("-startdate", "-1H", "-validity", VALIDITY_DAYS));
    command.addAll(List.of("-keystore", keyStore.toString(), "-storetype", "PKCS12"));
    command.addAll(List.of("-storepass", KEY_STORE_PASSWORD));
    command.addAll(options);
    SystemCommands.require("create certificates", command);
  }

  private static byte[] keyStore(Key key, Certificate... chain) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("server", key, KEY_STORE_PASSWORD.toCharArray(), chain);
    var bytes = new ByteArrayOutputStream();
    store.store(bytes, KEY_STORE_PASSWORD.toCharArray());
    return bytes.toByteArray();
  }

  private static String pem(String label, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, text, label);
  }
}
