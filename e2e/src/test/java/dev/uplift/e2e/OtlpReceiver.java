package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/// A collector of OpenTelemetry: takes spans by OTLP over HTTP, as Protocol Buffers, and keeps them.
final class OtlpReceiver implements AutoCloseable {
  private final HttpServer server;
  private final Queue<ReceivedSpan> spans = new ConcurrentLinkedQueue<>();

  /// @param parent id of the span above; empty of the first one of a trace
  /// @param service that has recorded it
  record ReceivedSpan(String trace, String id, String parent, String name, String service) {}

  OtlpReceiver() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/traces", this::receive);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:%d/v1/traces".formatted(server.getAddress().getPort());
  }

  List<ReceivedSpan> spans() {
    return List.copyOf(spans);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean isProtobuf = "application/x-protobuf".equals(exchange.getRequestHeaders().getFirst("Content-Type"));
      if (isProtobuf && exchange.getRequestMethod().equals("POST")) {
        read(exchange.getRequestBody().readAllBytes());
      }
      exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(isProtobuf ? 200 : 415, -1);
    }
  }

  /// The numbers of the fields are those of `opentelemetry/proto/trace/v1/trace.proto`.
  private void read(byte[] request) throws InvalidProtocolBufferException {
    for (UnknownFieldSet resourceSpans : messages(UnknownFieldSet.parseFrom(request), 1)) {
      String service =
          messages(resourceSpans, 1).stream()
              .flatMap(resource -> messages(resource, 1).stream())
              .filter(attribute -> text(attribute, 1).equals("service.name"))
              .map(attribute -> text(messages(attribute, 2).getFirst(), 1))
              .findFirst()
              .orElse("");
      for (UnknownFieldSet scopeSpans : messages(resourceSpans, 2)) {
        messages(scopeSpans, 2)
            .forEach(
                span -> spans.add(new ReceivedSpan(hex(span, 1), hex(span, 2), hex(span, 4), text(span, 5), service)));
      }
    }
  }

  private static Stream<ByteString> values(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().stream();
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field) {
    return values(message, field).map(OtlpReceiver::parse).toList();
  }

  private static UnknownFieldSet parse(ByteString bytes) {
    try {
      return UnknownFieldSet.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(UnknownFieldSet message, int field) {
    return first(message, field).map(bytes -> bytes.toString(UTF_8)).orElse("");
  }

  private static String hex(UnknownFieldSet message, int field) {
    return first(message, field).map(bytes -> HexFormat.of().formatHex(bytes.toByteArray())).orElse("");
  }

  private static Optional<ByteString> first(UnknownFieldSet message, int field) {
    return values(message, field).findFirst();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
