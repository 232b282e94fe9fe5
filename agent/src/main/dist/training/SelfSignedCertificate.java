import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A self-signed certificate for 127.0.0.1, also in a folder as nats-server needs it.
record SelfSignedCertificate(KeyStore own) {
  static final String CERTIFICATE = "cert.pem";
  static final String KEY = "key.pem";

  private static final char[] PASSWORD = "training".toCharArray();

  /// Generates one with the tool of this Java.
  static SelfSignedCertificate in(Path folder) throws Exception {
    Path store = folder.resolve("own.p12");
    keytool("-genkeypair", "-alias", "own", "-keyalg", "EC", "-dname", "CN=training", "-ext",
        "san=ip:127.0.0.1", "-validity", "30", "-keystore", store.toString());
    keytool("-exportcert", "-rfc", "-alias", "own", "-file", folder.resolve(CERTIFICATE).toString(), "-keystore",
        store.toString());
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      own.load(in, PASSWORD);
    }
    byte[] secret = own.getKey("own", PASSWORD).getEncoded();
    Files.writeString(
        folder.resolve(KEY),
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(secret)
            + "\n-----END PRIVATE KEY-----\n");
    return new SelfSignedCertificate(own);
  }

  private static void keytool(String... words) throws Exception {
    var line = new ArrayList<>(
        List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
    line.addAll(List.of(words));
    line.addAll(List.of("-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
    if (new ProcessBuilder(line).redirectErrorStream(true).inheritIO().start().waitFor() != 0) {
      throw new IOException("keytool failed");
    }
  }

  /// Of a server that shows it.
  SSLContext context() throws Exception {
    KeyManagerFactory keys =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
