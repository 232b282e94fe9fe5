package dev.uplift.temporaldev.process;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/// Checks whether a local URL responds.
public final class HttpProbe {
  private static final int TIMEOUT_MS = 2000;

  private HttpProbe() {}

  public static boolean respondsOk(String address) {
    try {
      // Never by a proxy of this machine.
      var connection = (HttpURLConnection) URI.create(address).toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(TIMEOUT_MS);
      connection.setReadTimeout(TIMEOUT_MS);
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
