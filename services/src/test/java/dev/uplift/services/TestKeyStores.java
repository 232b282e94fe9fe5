package dev.uplift.services;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Servers' keys with self-signed certificates that have expired, or soon will.
public final class TestKeyStores {
  private static final String PASSWORD = "secret";

  private TestKeyStores() {}

  /// Creates a key with a certificate for `localhost`, and returns what a server needs for TLS with it.
  ///
  /// @param age of the certificate
  /// @param validity how long it was valid at first
  public static SSLContext create(Path folder, Duration age, Duration validity)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = folder.resolve("%d-%d.p12".formatted(age.toDays(), validity.toDays()));
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-startdate",
                "-%dd".formatted(age.toDays()),
                "-validity",
                Long.toString(validity.toDays()),
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool ended with " + keytool.exitValue());
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      keys.init(store, PASSWORD.toCharArray());
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
