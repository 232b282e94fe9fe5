package dev.uplift.services.webhook;

import dev.uplift.fleet.webhook.ReceiverAddress;
import dev.uplift.fleet.webhook.ReceiverUrl;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Sends messages to receivers over HTTP, each on a connection of its own.
///
/// It connects to the very address that it has judged, so that a name cannot mean another one a moment later. It
/// follows no redirect and uses no proxy.
public final class WebhookSender implements AutoCloseable {
  /// For name, connection, request and answer together.
  public static final Duration TIMEOUT = Duration.ofSeconds(15);

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final boolean allowsPrivate;
  private final Duration timeout;
  private final InstantSource clock;
  private final SslContext tls;
  private final EventLoopGroup threads =
      new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("webhooks", true), NioIoHandler.newFactory());

  /// @param allowsPrivate whether receivers may be on addresses that are not of the Internet, and without TLS
  /// @param timeout of a message, [#TIMEOUT] but in tests
  public WebhookSender(boolean allowsPrivate, Duration timeout, InstantSource clock) {
    this.allowsPrivate = allowsPrivate;
    this.timeout = timeout;
    this.clock = clock;
    try {
      this.tls =
          SslContextBuilder.forClient().sslProvider(SslProvider.JDK).endpointIdentificationAlgorithm("HTTPS").build();
    } catch (SSLException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }

  /// Posts JSON, and returns the answer, or why there is none. Never throws for what a receiver does. A thread that is
  /// interrupted meanwhile stays so: what is returned then says nothing about the receiver.
  public WebhookResponse send(ReceiverUrl url, Map<String, String> headers, byte[] body) {
    if (!url.isEncrypted() && !allowsPrivate) {
      // Of a webhook from when this was allowed.
      return WebhookResponse.unanswered("expected https: this server sends events over TLS only");
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      return exchange(url, request(url, headers, body), deadline);
    } catch (IOException e) {
      return WebhookResponse.unanswered(describe(e));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return WebhookResponse.unanswered("the server ends");
    }
  }

  /// With the first address of the name that can be connected to.
  private WebhookResponse exchange(ReceiverUrl url, FullHttpRequest request, long deadline)
      throws IOException, InterruptedException {
    IOException last = new UnknownHostException(url.host());
    for (InetAddress address : resolve(url.host(), deadline)) {
      var reader = new WebhookResponseReader(clock);
      ChannelFuture connected = bootstrap(url, reader).connect(new InetSocketAddress(address, url.port()));
      try {
        if (connected.await(left(deadline).toMillis()) && connected.isSuccess()) {
          var _ = connected.channel().writeAndFlush(request);
          return reader.await(left(deadline));
        }
        last = new ConnectException("no connection: " + describe(connected.cause()));
      } finally {
        var _ = connected.channel().close();
      }
    }
    throw last;
  }

  private Bootstrap bootstrap(ReceiverUrl url, WebhookResponseReader reader) {
    return new Bootstrap()
        .group(threads)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
        .handler(
            new ChannelInitializer<>() {
              @Override
              protected void initChannel(Channel channel) {
                if (url.isEncrypted()) {
                  channel.pipeline().addLast(tls.newHandler(channel.alloc(), url.host(), url.port()));
                }
                channel.pipeline().addLast(new HttpClientCodec(), reader);
              }
            });
  }

  /// Returns those addresses that may be connected to, at least one. Where private ones may not, an unknown name and a
  /// private address fail with one text, so that a tenant does not learn which names the server's network has.
  private List<InetAddress> resolve(String host, long deadline) throws IOException, InterruptedException {
    if (allowsPrivate) {
      return List.of(lookUp(host, deadline));
    }
    List<InetAddress> allowed = lookUpPublic(host, deadline);
    if (allowed.isEmpty()) {
      throw new ConnectException(
          "%s has no address of the Internet, and this server sends webhooks to no other".formatted(host));
    }
    return allowed;
  }

  private static List<InetAddress> lookUpPublic(String host, long deadline) throws IOException, InterruptedException {
    try {
      return Stream.of(lookUp(host, deadline))
          .filter(address -> ReceiverAddress.isPublic(address.getAddress()))
          .toList();
    } catch (UnknownHostException _) {
      return List.of();
    }
  }

  /// On another thread, because a name server may take minutes. Not on a virtual one: it would hold one of the few
  /// threads that run all the others, and whose name server answers is up to a tenant.
  private static InetAddress[] lookUp(String host, long deadline) throws IOException, InterruptedException {
    CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("webhook-name")
        .start(() -> {
          try {
            found.complete(InetAddress.getAllByName(host));
          } catch (UnknownHostException e) {
            found.completeExceptionally(e);
          }
        });
    try {
      return found.get(left(deadline).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException _) {
      throw new UnknownHostException("the name %s is unknown".formatted(host));
    } catch (TimeoutException _) {
      throw new UnknownHostException("the address of %s was not found in time".formatted(host));
    }
  }

  private static Duration left(long deadline) {
    return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
  }

  private static FullHttpRequest request(ReceiverUrl url, Map<String, String> headers, byte[] body) {
    var request =
        new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, url.target(), Unpooled.wrappedBuffer(body));
    request
        .headers()
        .set(HttpHeaderNames.HOST, url.authority())
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
        .set(HttpHeaderNames.USER_AGENT, "Uplift")
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    headers.forEach((name, value) -> request.headers().set(name, value));
    return request;
  }

  private static String describe(@Nullable Throwable e) {
    return e == null || e.getMessage() == null ? "no answer in time" : e.getMessage();
  }

  @Override
  public void close() {
    var _ = threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
