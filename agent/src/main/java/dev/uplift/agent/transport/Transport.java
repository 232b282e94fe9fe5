package dev.uplift.agent.transport;

import java.util.Map;

/// Sends and receives for an agent. Many hosts may share one.
public interface Transport {

  /// Publishes without acknowledgement. Lost while the server is unavailable.
  void publish(String subject, byte[] body);

  /// Returns the answer, which may be a refusal; see [Reply#status()].
  ///
  /// @throws ServerUnavailable when none came in time; whether the request arrived is not known then
  Reply request(String subject, Map<String, String> headers, byte[] body)
      throws ServerUnavailable, InterruptedException;

  /// Subscribes from now on, over every new connection too. The listener learns that a message came, never its content.
  void subscribe(String subject, Listener listener);

  /// Ends the subscription.
  void unsubscribe(String subject);

  /// Called by the connection. Must return at once.
  interface Listener {
    /// The server can be reached, at first or again; what was said meanwhile was missed.
    void onConnected();

    void onMessage();
  }
}
