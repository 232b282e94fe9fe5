package dev.uplift.agent.transport;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
import java.util.Map;

/// An answer of the server.
public final class Reply {
  public static final int OK = 200;
  public static final int NOT_FOUND = 404;

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  public Reply(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = Map.copyOf(headers);
    this.body = body.clone();
  }

  /// [#OK], or why there is no body.
  public int status() {
    return status;
  }

  /// Empty where there is none of that name.
  public String header(String name) {
    return headers.getOrDefault(name, "");
  }

  public byte[] body() {
    return body.clone();
  }

  /// Returns whether the stream has dropped what was sent, because it has seen its id before.
  public boolean isDuplicate() {
    return JsonObject.parse(body).booleanOr("duplicate", false);
  }

  /// The sequence under which a stream has kept what was sent.
  ///
  /// @throws ServerUnavailable where the answer is not that of a stream, or the stream refused
  public long storedSequence() throws ServerUnavailable {
    if (status != OK) {
      throw new ServerUnavailable("no stream keeps it, status " + status);
    }
    try {
      JsonObject ack = JsonObject.parse(body);
      if (ack.has("error")) {
        JsonObject error = ack.object("error");
        throw new ServerUnavailable("the stream refuses it: " + error.stringOr("description", "no reason given"));
      }
      return ack.number("seq");
    } catch (MalformedMessage e) {
      throw new ServerUnavailable("not the answer of a stream", e);
    }
  }
}
