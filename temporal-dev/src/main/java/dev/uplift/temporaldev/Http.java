package dev.uplift.temporaldev;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// Asks an address of this machine whether it serves.
final class Http {
  private static final int ANSWERS_WITHIN_MS = 2000;

  private Http() {}

  static boolean answersOk(String address) {
    try {
      // Never by way of a proxy that the machine may name.
      var connection =
          (HttpURLConnection) URI.create(address).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(ANSWERS_WITHIN_MS);
      connection.setReadTimeout(ANSWERS_WITHIN_MS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException _) {
      return false;
    }
  }
}
