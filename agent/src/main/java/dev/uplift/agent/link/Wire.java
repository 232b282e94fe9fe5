package dev.uplift.agent.link;

import java.util.Map;

/// What an agent can say and hear. Many hosts may share one.
public interface Wire {

  /// To whoever listens at this moment. Lost while the server is away.
  void tell(String subject, byte[] body);

  /// Returns the answer, which may be a refusal; see [Reply#status()].
  ///
  /// @throws Away when none came in time; whether the request arrived is not known then
  Reply ask(String subject, Map<String, String> headers, byte[] body)
      throws Away, InterruptedException;

  /// From now on, over every new connection too. Only that something came is told, never what.
  void listen(String subject, Listener listener);

  /// Nothing more is told to who listens there.
  void forget(String subject);

  /// Who is told. Must return at once.
  interface Listener {
    /// The server can be reached, at first or again; what was said meanwhile was missed.
    void connected();

    void rang();
  }
}
