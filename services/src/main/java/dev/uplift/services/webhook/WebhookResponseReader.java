package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Reads the answer of one receiver: its status, and of its body a beginning.
final class WebhookResponseReader extends SimpleChannelInboundHandler<HttpObject> {
  /// Of the body; the rest is not read.
  private static final int MAX_BODY = 1000;

  private final InstantSource clock;
  private final CompletableFuture<WebhookResponse> complete = new CompletableFuture<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private volatile @Nullable HttpResponse head;

  WebhookResponseReader(InstantSource clock) {
    this.clock = clock;
  }

  /// Returns the answer. One that has begun counts, also if its body does not end in time.
  ///
  /// @throws IOException if there is none
  WebhookResponse await(Duration time) throws IOException, InterruptedException {
    try {
      return complete.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      HttpResponse begun = head;
      if (begun == null) {
        throw new IOException("no answer in time");
      }
      return response(begun, "");
    } catch (ExecutionException e) {
      throw describe(e.getCause());
    }
  }

  private static IOException describe(@Nullable Throwable cause) {
    Throwable inner = cause instanceof DecoderException && cause.getCause() instanceof SSLException tls ? tls : cause;
    return new IOException(
        switch (inner) {
          case SSLException tls -> "no TLS: " + tls.getMessage();
          case null -> "the connection broke";
          default -> inner.getMessage() == null ? "the connection broke" : inner.getMessage();
        },
        cause);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
    if (part.decoderResult().isFailure()) {
      fail(context, new IOException("the answer is not HTTP"));
      return;
    }
    if (part instanceof HttpResponse response && response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
      head = response;
    }
    HttpResponse begun = head;
    if (part instanceof HttpContent content && begun != null) {
      read(content);
      if (part instanceof LastHttpContent || body.size() >= MAX_BODY) {
        finish(context, begun);
      }
    }
  }

  private void read(HttpContent content) {
    byte[] bytes = new byte[Math.min(content.content().readableBytes(), MAX_BODY - body.size())];
    content.content().readBytes(bytes);
    body.writeBytes(bytes);
  }

  private void finish(ChannelHandlerContext context, HttpResponse begun) {
    complete.complete(response(begun, body.toString(UTF_8)));
    var _ = context.close();
  }

  private WebhookResponse response(HttpResponse begun, String text) {
    return WebhookResponse.answered(
        begun.status().code(),
        Optional.ofNullable(begun.headers().get(HttpHeaderNames.RETRY_AFTER)).flatMap(this::retryAfter),
        text);
  }

  /// In seconds, or a time.
  private Optional<Duration> retryAfter(String text) {
    try {
      Duration asked =
          text.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(text))
              : Duration.between(
                  clock.instant(), ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return Optional.of(asked).filter(Duration::isPositive);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    HttpResponse begun = head;
    if (begun == null) {
      complete.completeExceptionally(new IOException("the connection was closed without an answer"));
    } else {
      complete.complete(response(begun, body.toString(UTF_8)));
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    fail(context, cause);
  }

  private void fail(ChannelHandlerContext context, Throwable cause) {
    complete.completeExceptionally(cause);
    var _ = context.close();
  }
}
