package dev.uplift.agent.link;

import dev.uplift.protocol.Fields;
import dev.uplift.protocol.MalformedMessage;
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

  /// The sequence under which a stream has kept what was sent.
  ///
  /// @throws Away where the answer is not that of a stream, or the stream refused
  public long keptAs() throws Away {
    if (status != OK) {
      throw new Away("no stream keeps it, status " + status);
    }
    try {
      Fields ack = Fields.of(body);
      if (ack.has("error")) {
        Fields error = ack.inner("error");
        throw new Away("the stream refuses it: " + error.textOr("description", "no reason given"));
      }
      return ack.number("seq");
    } catch (MalformedMessage e) {
      throw new Away("not the answer of a stream", e);
    }
  }
}
