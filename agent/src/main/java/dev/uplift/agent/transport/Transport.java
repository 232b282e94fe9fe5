package dev.uplift.agent.transport;

import java.util.Map;

/// What an agent can say and hear. Many hosts may share one.
public interface Transport {

  /// To whoever listens at this moment. Lost while the server is away.
  void publish(String subject, byte[] body);

  /// Returns the answer, which may be a refusal; see [Reply#status()].
  ///
  /// @throws ServerUnavailable when none came in time; whether the request arrived is not known
  ///   then
  Reply request(String subject, Map<String, String> headers, byte[] body)
      throws ServerUnavailable, InterruptedException;

  /// From now on, over every new connection too. Only that something came is told, never what.
  void subscribe(String subject, Listener listener);

  /// Nothing more is told to who listens there.
  void unsubscribe(String subject);

  /// Who is told. Must return at once.
  interface Listener {
    /// The server can be reached, at first or again; what was said meanwhile was missed.
    void onConnected();

    void onMessage();
  }
}
